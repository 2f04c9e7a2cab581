import { messageOf, RunError } from '../errors.js';
import { onCpus, run } from '../process/spawn.js';

/** @import { Target } from './types.js' */

/** A peer takes at most two seconds unless something delays it. */
const ENDS_WITHIN_MS = 30_000;

/** @param {Target} target @param {{path: string, host: string}} flags @returns {string[]} */
const addressArgs = ({ path, host, port }, flags) =>
  path === undefined ? [flags.host, `${host}`, '-p', `${port}`] : [flags.path, path];

/** @typedef {{target: Target, key: string, connections: number, depth: number, requests: number}} PeerShape */

/**
 * Benchmarks written in C that read the same key, to compare our ceiling with.
 * @type {Record<string, {args: (shape: PeerShape) => string[], parse: (output: string) => number}>}
 */
const PEERS = {
  'redis-benchmark': {
    args: ({ target, key, connections, depth, requests }) => [
      ...addressArgs(target, { path: '-s', host: '-h' }),
      ...(target.database === undefined ? [] : ['--dbnum', `${target.database}`]),
      ...`-c ${connections} -P ${depth} -n ${requests} --csv GET`.split(' '),
      key,
    ],
    // "test","rps",… and below it one line of quoted values.
    parse: (output) => Number(/^"[^"]*","([\d.]+)"/m.exec(output.split('\n').slice(1).join('\n'))?.[1]),
  },
  memtier_benchmark: {
    args: ({ target, key, connections, depth }) => [
      ...addressArgs(target, { path: '-S', host: '-s' }),
      // It counts whole seconds: below two it prints too little, or 0.00.
      ...`--threads=1 --clients=${connections} --pipeline=${depth} --ratio=0:1 --test-time=2`.split(' '),
      ...(target.database === undefined ? [] : [`--select-db=${target.database}`]),
      '--hide-histogram',
      // It appends a number to its prefix: the last character of our key.
      `--key-prefix=${key.slice(0, -1)}`,
      `--key-minimum=${key.slice(-1)}`,
      `--key-maximum=${key.slice(-1)}`,
    ],
    parse: (output) => Number(/^Totals\s+([\d.]+)/m.exec(output)?.[1]),
  },
};

/** @param {Pick<Target, 'username' | 'password'> | null} external @returns {string | null} why no peer can be run */
export const whyNoPeers = (external) =>
  external?.username === undefined && external?.password === undefined
    ? null
    : 'peers were not run: they take a password only as an argument, which the list of processes shows';

/** @returns {Promise<string[]>} those on PATH */
export async function findPeers() {
  const isMissing = (/** @type {string} */ name) =>
    run(name, ['--version']).then(
      () => false,
      (error) => error.code === 'ENOENT',
    );
  const names = Object.keys(PEERS);
  const missing = await Promise.all(names.map(isMissing));
  return names.filter((_, index) => !missing[index]);
}

/**
 * @param {string} name @param {PeerShape} shape @param {number[] | null} cpus @param {AbortSignal} signal
 * @returns {Promise<number>} operations per second @throws {RunError} if it fails or prints no figure
 */
export async function runPeer(name, shape, cpus, signal) {
  if (shape.target.transport === 'tls')
    throw new RunError(`${name} was not run: it is compared without TLS only`);
  const { args, parse } = PEERS[name];
  const [program, ...rest] = onCpus(cpus, [name, ...args(shape)]);
  const printed = await run(program, rest, { signal, timeout: ENDS_WITHIN_MS }).catch((error) => {
    throw new RunError(`${name} failed: ${messageOf(causeOf(error))}`);
  });
  const opsPerSecond = parse(printed);
  if (!(opsPerSecond > 0))
    throw new RunError(`${name} printed ${opsPerSecond === 0 ? 'a rate of 0' : 'no rate'}`);
  return opsPerSecond;
}

/** Its last line says why. @param {any} error of a process */
function causeOf({ stderr = '', killed, code, message }) {
  const said = `${stderr}`.trim().split('\n').at(-1);
  if (said) return said;
  if (killed) return `it had not ended after ${ENDS_WITHIN_MS / 1000} s`;
  return Number.isInteger(code) ? `it ended with exit code ${code}` : message;
}
