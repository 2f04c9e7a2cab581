import { RunError } from '../errors.js';
import { onCpus, run } from '../process/spawn.js';

/** @import { Target } from '../server/types.js' */

/** A peer takes at most two seconds unless something delays it. */
const ENDS_WITHIN_MS = 30_000;

/**
 * Benchmarks written in C that read the same key, to compare a bare loop with. `rate`: of what they print, per second.
 * @typedef {{target: Target, key: string, connections: number, depth: number, requests: number}} PeerShape
 * @type {Record<string, {args: (shape: PeerShape) => unknown[], rate: RegExp}>}
 */
export const PEERS = {
  'redis-benchmark': {
    args: ({ target: { path, host, port, database = 0 }, key, connections, depth, requests }) => [
      ...(path === undefined ? ['-h', host, '-p', port] : ['-s', path]),
      '--dbnum',
      database,
      '-c',
      connections,
      '-P',
      depth,
      '-n',
      requests,
      '--csv',
      'GET',
      key,
    ],
    rate: /^"GET[^"]*","([\d.]+)"/m,
  },
  memtier_benchmark: {
    args: ({ target: { path, host, port, database = 0 }, key, connections, depth }) => [
      ...(path === undefined ? ['-s', host, '-p', port] : ['-S', path]),
      `--select-db=${database}`,
      '--threads=1',
      `--clients=${connections}`,
      `--pipeline=${depth}`,
      // It counts whole seconds: below two it prints too little, or 0.00.
      '--ratio=0:1',
      '--test-time=2',
      '--hide-histogram',
      // It appends a number to its prefix: the last character of our key.
      `--key-prefix=${key.slice(0, -1)}`,
      `--key-minimum=${key.at(-1)}`,
      `--key-maximum=${key.at(-1)}`,
    ],
    rate: /^Totals\s+([\d.]+)/m,
  },
};

/**
 * @param {string} name @param {PeerShape} shape @param {number[] | null} cpus @param {AbortSignal} signal
 * @returns {Promise<number>} operations per second @throws {RunError} if it fails or prints no figure
 */
export async function runPeer(name, shape, cpus, signal) {
  if (shape.target.transport === 'tls')
    throw new RunError(`${name} was not run: it is compared without TLS only`);
  const { args, rate } = PEERS[name];
  const [program, ...rest] = onCpus(cpus, [name, ...args(shape).map(String)]);
  const printed = await run(program, rest, { signal, timeout: ENDS_WITHIN_MS }).catch((error) => {
    throw new RunError(`${name} failed: ${causeOf(error)}`);
  });
  const opsPerSecond = Number(rate.exec(printed)?.[1]);
  if (!(opsPerSecond > 0))
    throw new RunError(`${name} printed ${opsPerSecond === 0 ? 'a rate of 0' : 'no rate'}`);
  return opsPerSecond;
}

/** @param {unknown} error of a process, whose last line says why */
function causeOf(error) {
  const { stderr = '', killed, code, message } = Object(error);
  const said = `${stderr}`.trim().split('\n').at(-1);
  if (said) return said;
  if (killed) return `it had not ended after ${ENDS_WITHIN_MS / 1000} s`;
  return Number.isInteger(code) ? `it ended with exit code ${code}` : message;
}
