import pico from 'picocolors';
import { doctor } from '../../index.js';
import { colorsWanted } from '../terminal.js';

/**
 * @param {{url?: string, socket?: string, serverBin?: string}} options
 * @param {import('../../types.js').World} world
 */
export async function doctorCommand(options, { stdout, env }) {
  const colors = pico.createColors(colorsWanted(stdout, env));
  const findings = await doctor(options);
  const width = Math.max(...findings.map(({ title }) => title.length));
  for (const { title, found, ok, advice } of findings) {
    stdout.write(`${ok ? colors.green('ok  ') : colors.yellow('look')}  ${title.padEnd(width)}  ${found}\n`);
    if (advice !== null) stdout.write(`${' '.repeat(width + 8)}→ ${advice}\n`);
  }
}
