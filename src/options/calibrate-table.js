import { OPTIONS } from './option-table.js';
import * as kinds from './values.js';

/** @import { CalibrateSettings, OptionSpec } from './types.js' */

/**
 * The options of `calibrate`, in the same form as a benchmark's.
 *
 * @type {Record<keyof CalibrateSettings, OptionSpec>}
 */
export const CALIBRATE_OPTIONS = {
  connections: {
    flag: '--connections <list>',
    kind: kinds.listOf(kinds.connectionCount),
    default: [1, 8, 50],
    help: 'connections that are used at once',
  },
  depth: {
    flag: '--depth <list>',
    kind: kinds.listOf(kinds.connectionCount),
    default: [1, 8, 64],
    help: 'commands under way on each connection',
  },
  transport: {
    flag: '--transport <list>',
    kind: kinds.listOf(kinds.oneOf(['tcp', 'unix', 'tls'])),
    default: undefined,
    help: 'tcp, unix, tls (default: all that the server has; one that is started has TLS if it is asked for)',
  },
  size: { flag: '--size <n>', kind: kinds.size, default: 10, help: 'length of the value, in characters' },
  durationMs: {
    flag: '--duration <time>',
    kind: kinds.duration,
    default: 300,
    help: 'of each run (default: 300ms)',
  },
  runs: { flag: '--runs <n>', kind: kinds.positiveInteger, default: 3, help: 'runs of each shape' },
  peers: {
    flag: '--peers',
    kind: kinds.flag,
    default: false,
    help: 'also run redis-benchmark and memtier_benchmark, if they are on PATH, in turn with our own loop',
  },
  poll: {
    flag: '--no-poll',
    kind: kinds.flag,
    default: true,
    help: 'let the event loop sleep until a reply comes, as any client does',
  },
  pin: { ...OPTIONS.pin, flag: '--pin <mode>', kind: kinds.pin, default: 'apart' },
  url: OPTIONS.url,
  socket: OPTIONS.socket,
  tlsCa: OPTIONS.tlsCa,
  tlsCert: OPTIONS.tlsCert,
  tlsKey: OPTIONS.tlsKey,
  tlsInsecure: OPTIONS.tlsInsecure,
  allowEviction: OPTIONS.allowEviction,
  serverBin: OPTIONS.serverBin,
};
