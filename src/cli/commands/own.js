import { rm, writeFile } from 'node:fs/promises';
import { fileURLToPath } from 'node:url';
import { codeOf, EXIT, messageOf, UsageError } from '../../errors.js';
import { count } from '../../numbers.js';
import {
  CHECKED_WITH,
  importOwn,
  isCodeFile,
  loadPlugin,
  OWN_KINDS,
  ownFileOf,
  ownIdOf,
} from '../../plugins/registry.js';
import { startAnswering } from '../../process/answering.js';
import { readBounded } from '../../process/read-file.js';
import { withTimeLimit } from '../../process/wait.js';
import { openServer } from '../../server/open.js';
import { guardKeys } from '../../server/stored-keys.js';
import { interruptible } from '../interrupt.js';
import { Argument, chooserFlag, withValues } from '../options.js';

/** @import { checkOwn } from '../../contract/check-own.js' */
/** @import { CommandPart } from '../types.js' */

/** @type {CommandPart} */
export const init = {
  define(command) {
    command
      .addArgument(
        withValues(new Argument('<kind>', Object.keys(OWN_KINDS).join(', ')), Object.keys(OWN_KINDS)),
      )
      .argument('<file>', 'where to write it, such as our-redis.js; an existing file is never overwritten');
  },

  async run(_options, { stdout }, kind, file) {
    await initPlugin(kind, file);
    const path = pathOf(file);
    const { kind: plugins, alongside } = OWN_KINDS[kind];
    stdout.lines([
      `${file} is a ${kind} that works as it is; its comments say what to change.`,
      `  redis-pipe-bench check ${path}`,
      `  redis-pipe-bench ${chooserFlag(plugins)} ${path},${alongside}`,
    ]);
  },
};

/** @param {string} file @returns {string} as options take it: a bare name would be that of a plugin */
const pathOf = (file) => (/^[./\\]/.test(file) ? file : `./${file}`);

/** @type {CommandPart} */
export const check = {
  define: (command) => void command.argument('<file>', 'your file, such as ./our-redis.js'),

  async run(_options, { stdout, process }, file) {
    const { result } = await interruptible(process, (signal) => checkPlugin(file, { signal }));
    const { kind, id, client, checks } = result;
    for (const { title, failed } of checks) {
      if (failed === null) continue;
      stdout.marked(['red', 'FAIL'], `  ${title}`);
      stdout.lines([`      ${failed}`]);
    }
    const failures = checks.filter(({ failed }) => failed !== null).length;
    const by = client === id ? '' : `, with ${client} as the client`;
    stdout.lines([
      failures === 0
        ? `Passed ${count(checks.length, 'check')}${by}: ${chooserFlag(OWN_KINDS[kind].kind)} ${file}`
        : `${failures} of ${count(checks.length, 'check')} failed${by}.`,
    ]);
    return failures === 0 ? EXIT.done : EXIT.run;
  },
};

const CHECKER = new URL('../../contract/check-entry.js', import.meta.url);
/** Each check has its own limit, but code that blocks the event loop ignores it. */
const CHECKED_WITHIN_MS = 120_000;

/**
 * Runs the contract tests for a user's plugin.
 * @param {string} name of its file @param {{signal?: AbortSignal}} [hooks]
 * @returns {Promise<{kind: string, id: string, client: string, checks: Awaited<ReturnType<typeof checkOwn>>}>}
 * @throws {UsageError} if the file is not a plugin that can be loaded
 */
export async function checkPlugin(name, { signal } = {}) {
  if (!isCodeFile(name)) throw new UsageError(`check: expected a .js or .mjs file, got '${name}'`);
  const own = ownFileOf(name);
  if (own === null) throw new UsageError(`check: expected a path to your file, got '${name}'`);
  const { file, id } = own;
  const kind = await kindOf(name, file);
  const plugins = OWN_KINDS[kind].kind;
  const pluginFolders = { [plugins]: [file] };
  await loadPlugin(plugins, id, pluginFolders);
  const server = await openServer(null);
  const worker = startAnswering({ name: 'the worker process', entry: CHECKER }, null);
  const interrupt = () => void worker.kill();
  signal?.addEventListener('abort', interrupt);
  try {
    const { prefix } = await guardKeys([server], null);
    const { tcp: target } = server.targets;
    const job = { kind: plugins, id, pluginFolders, target, prefix };
    const checks = await withTimeLimit(CHECKED_WITHIN_MS, worker.call('check', job));
    return { kind, id, client: kind === 'client' ? id : CHECKED_WITH, checks };
  } finally {
    signal?.removeEventListener('abort', interrupt);
    await worker.kill();
    await server.close();
  }
}

/** @param {string} name @param {string} file @returns {Promise<string>} */
async function kindOf(name, file) {
  const exported = Object(await importOwn(file));
  const kinds = Object.entries(OWN_KINDS);
  const found = kinds.find(([, { detectedBy }]) => detectedBy.some((member) => member in exported));
  if (found !== undefined) return found[0];
  const members = kinds.map(([each, { detectedBy }]) => `${each} has ${detectedBy.join(' or ')}`);
  throw new UsageError(
    `${name}: expected a default export that shows what it is (a ${members.join(', a ')}), and found none of these`,
  );
}

/** What may fail once the file is there. */
const AFTER_OPENING = ['ENOSPC', 'EDQUOT', 'EFBIG', 'EIO'];

/**
 * Writes a working plugin to start from.
 * @param {string} kind @param {string} file @throws {UsageError} if the file exists or cannot be written
 */
export async function initPlugin(kind, file) {
  if (!Object.hasOwn(OWN_KINDS, kind)) {
    throw new UsageError(`init: expected one of ${Object.keys(OWN_KINDS).join(', ')}, got '${kind}'`);
  }
  if (!isCodeFile(file)) {
    throw new UsageError(
      `init ${kind}: expected the name of a .js or .mjs file, such as our-${kind}.js, got '${file}'`,
    );
  }
  ownIdOf(file);
  const template = new URL(`../../plugins/templates/own-${kind}.js`, import.meta.url);
  const example = `${await readBounded(fileURLToPath(template))}`;
  const text = example.replaceAll(/\.\/(checkout|our-redis|our-pool)\.js/g, () => pathOf(file));
  try {
    await writeFile(file, text, { flag: 'wx' });
  } catch (error) {
    const code = codeOf(error);
    // It would be there at the next try.
    if (code !== undefined && AFTER_OPENING.includes(code)) await rm(file, { force: true });
    const why = code === 'EEXIST' ? 'it is there already; choose another name' : messageOf(error);
    throw new UsageError(`init ${kind}: '${file}' cannot be written: ${why}`);
  }
}
