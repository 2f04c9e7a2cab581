/**
 * The outputs in README and docs. None is pasted: a comment before a block says what prints it.
 *
 *     <!-- output: default | report last | 1-3 6 -->
 *
 * First the saved results (`test/docs/NAME.ndjson.gz`, or `corpus/saved/NAME`), then the command, then which
 * paragraphs are shown; all of them if that part is left out. `stderr` shows what goes there instead, without
 * warnings. A dash stands
 * for no result.
 */
import { cpSync, existsSync, mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { basename, join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { gunzipSync } from 'node:zlib';
import { printed as printedReport } from '../../src/cli/render.js';
import { bisectReport } from '../../src/commands/history/bisect-report.js';
import { runMain } from '../helpers/main.js';
import { clientDefaults } from './client-defaults.js';
import { MARKED, wordsOf } from './commands.js';

/** @import { Bisection } from '../../src/commands/history/bisect.js' */

const fromHere = (/** @type {string} */ path) => fileURLToPath(new URL(path, import.meta.url));

export const HOW = 'run `node test/docs/write.js`, which prints all outputs again, and look at the diff';

/** No command of the tool: read out of the installed packages. */
const CLIENT_DEFAULTS = 'client defaults';
const WIDTH = 100;
const LEFT_OUT = '…';
const WARNINGS = /^(?:warning: .*\n)+/m;

/** @param {string} page its text @returns {Promise<string>} the same, with each output as it is printed today */
export async function withOutputs(page) {
  const printed = new Map();
  for (const [, , marker] of page.matchAll(MARKED)) printed.set(marker, await outputOf(marker));
  return page.replace(MARKED, (_all, head, marker) => `${head}${printed.get(marker)}\n\`\`\``);
}

/** @param {string} marker */
async function outputOf(marker) {
  const [names, command, shown] = marker.split(' | ');
  const results = names.split(' ').filter((name) => name !== '-');
  if (command === CLIENT_DEFAULTS) return clientDefaults();
  if (command.startsWith('bisect')) return bisection(results[0]);
  const { stdout, stderr } = await printed(results, command);
  if (shown === undefined) return stdout;
  return shown === 'stderr' ? stderr.replace(WARNINGS, `${LEFT_OUT}\n`) : paragraphs(stdout, shown);
}

/** @param {string[]} results @param {string} command */
async function printed(results, command) {
  const temp = mkdtempSync(join(tmpdir(), 'rpb-docs-'));
  const folder = join(temp, 'redis-pipe-bench');
  mkdirSync(folder);
  try {
    for (const name of results) copyResult(name, folder);
    const args = wordsOf(command).map((word) => (existsSync(join(folder, word)) ? join(folder, word) : word));
    const { stdout, stderr } = await runMain(args, { XDG_STATE_HOME: temp });
    const tidy = (/** @type {string} */ text) =>
      text.replaceAll(`${folder}/`, '').replace(/ +$/gm, '').trimEnd();
    return { stdout: tidy(stdout), stderr: tidy(stderr) };
  } finally {
    rmSync(temp, { recursive: true });
  }
}

/** A result of these tests or of the corpus, or recorded traffic. @param {string} name @param {string} folder */
function copyResult(name, folder) {
  if (name === 'traffic.ndjson.gz') return cpSync(fromHere('../corpus/shop.ndjson.gz'), join(folder, name));
  const saved = gunzipSync(readFileSync(fromHere(`${name.replace('corpus', '../corpus')}.ndjson.gz`)));
  writeFileSync(join(folder, `${basename(name)}.ndjson`), saved);
}

/** @param {string} name of what `bisect --format json` printed @returns {Promise<string>} what it prints without that option */
async function bisection(name) {
  /** @type {Bisection} */
  const found = JSON.parse(gunzipSync(readFileSync(fromHere(`${name}.json.gz`))).toString());
  return (await printedReport(bisectReport(found), 'table', { width: WIDTH })).trimEnd();
}

/** @param {string} text @param {string} shown such as `1-3 6 8-` @returns {string} with a sign for what is left out */
function paragraphs(text, shown) {
  const all = text.split('\n\n');
  const numbers = new Set(
    shown.split(' ').flatMap((range) => {
      const [from, to = from] = range.split('-');
      const last = to === '' ? all.length : Number(to);
      return Array.from({ length: last - Number(from) + 1 }, (_, index) => Number(from) + index - 1);
    }),
  );
  return all
    .map((paragraph, index) => (numbers.has(index) ? paragraph : LEFT_OUT))
    .filter((paragraph, index, list) => paragraph !== LEFT_OUT || list[index - 1] !== LEFT_OUT)
    .join('\n\n');
}
