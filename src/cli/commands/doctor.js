import pico from 'picocolors';
import { doctor } from '../../index.js';
import { printableDeep } from '../../report/words/printable.js';
import { withEnvironment } from '../server-options.js';
import { colorsWanted } from '../terminal.js';

/** @import { World } from '../types.js' */

/**
 * @param {Record<string, any>} given the options that name a server
 * @param {World} world
 */
export async function doctorCommand(given, { stdout, env }) {
  const colors = pico.createColors(colorsWanted(stdout, env));
  const { options, urlOrigin } = withEnvironment(given, env);
  const findings = printableDeep(await doctor(options, { urlOrigin }));
  const width = Math.max(...findings.map(({ title }) => title.length));
  for (const { title, found, ok, advice } of findings) {
    stdout.write(`${ok ? colors.green('ok  ') : colors.yellow('look')}  ${title.padEnd(width)}  ${found}\n`);
    if (advice !== null) stdout.write(`${' '.repeat(width + 8)}→ ${advice}\n`);
  }
}
