import { inGroup, OPTIONS } from './option-table.js';
import * as kinds from './values.js';

/** @import { CalibrateSettings, OptionSpec, RecordSettings } from './types.js' */

const { url, socket, tlsCa, tlsCert, tlsKey, tlsInsecure, tlsServername, allowEviction, serverBin, pin } =
  OPTIONS;
export const TLS_OPTIONS = { tlsCa, tlsCert, tlsKey, tlsInsecure, tlsServername };
/** What names a running server. */
export const SERVER_OPTIONS = { url, socket, ...TLS_OPTIONS };

/** @type {Record<keyof CalibrateSettings, OptionSpec>} */
export const CALIBRATE_OPTIONS = inGroup(undefined, {
  connections: {
    kind: kinds.listOf(kinds.connectionCount),
    default: [1, 8, 50],
    help: 'connections that are used at once',
  },
  depth: {
    kind: kinds.listOf(kinds.connectionCount),
    default: [1, 8, 64],
    help: 'commands in flight on each connection',
  },
  transport: {
    kind: kinds.listOf(kinds.oneOf(['tcp', 'unix', 'tls'])),
    help: 'tcp, unix, tls (default: all that the server has; one that is started has TLS if it is asked for)',
  },
  size: { kind: kinds.size, default: 10, help: 'length of the value, in characters' },
  durationMs: { kind: kinds.duration, default: 300, help: 'of each run (default: 300ms)' },
  runs: { kind: kinds.positiveInteger, default: 3, help: 'runs of each shape' },
  poll: {
    flag: '--no-poll',
    kind: kinds.flag,
    default: true,
    help: 'let the event loop sleep until a reply comes, as any client does',
  },
  pin: { ...pin, flag: '--pin <mode>', kind: kinds.pin, default: 'apart' },
  ...SERVER_OPTIONS,
  allowEviction,
  serverBin,
});

/** @type {Record<keyof RecordSettings, OptionSpec>} */
export const RECORD_OPTIONS = inGroup('server', {
  url: { ...url, help: "the service's server: redis[s]://host[:port] (also REDIS_URL)" },
  socket: { ...socket, help: "the service's server, behind this unix socket" },
  ...TLS_OPTIONS,
  listen: {
    flag: '--listen <address>',
    kind: kinds.listenAddress,
    help: 'where the service connects to instead: PORT on 127.0.0.1, or HOST:PORT (default: any free port)',
  },
  forMs: {
    group: 'measure',
    kind: kinds.duration,
    help: 'how long to record, such as 30s or 5m (default: until Ctrl-C)',
  },
  output: {
    group: 'print',
    kind: kinds.file,
    default: 'traffic.ndjson',
    help: 'the profile; gzipped if its name ends in .gz',
  },
});
