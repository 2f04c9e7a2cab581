import { OPTIONS } from './option-table.js';
import * as kinds from './values.js';

/** @import { OptionSpec, RecordSettings } from './types.js' */

const { url, socket, tlsCa, tlsCert, tlsKey, tlsInsecure } = OPTIONS;

/**
 * The options of `record`, in the same form as a benchmark's.
 *
 * @type {Record<keyof RecordSettings, OptionSpec>}
 */
export const RECORD_OPTIONS = {
  url: { ...url, help: "the service's server: redis[s]://host[:port] (also REDIS_URL)" },
  socket: { ...socket, help: "the service's server, behind this unix socket" },
  tlsCa,
  tlsCert,
  tlsKey,
  tlsInsecure,
  listen: {
    flag: '--listen <address>',
    group: 'connections',
    kind: kinds.listenAddress,
    default: undefined,
    help: 'where the service connects to instead: PORT on 127.0.0.1, or HOST:PORT (default: any free port)',
  },
  forMs: {
    flag: '--for <time>',
    group: 'measuring',
    kind: kinds.duration,
    default: undefined,
    help: 'how long to record, such as 30s or 5m (default: until Ctrl-C)',
  },
  output: {
    flag: '--output <file>',
    group: 'output',
    kind: kinds.text,
    default: 'traffic.ndjson',
    help: 'the profile; gzipped if its name ends in .gz',
  },
  monitor: {
    flag: '--monitor',
    group: 'server',
    kind: kinds.flag,
    default: false,
    help: 'ask the server with MONITOR, which slows it down, instead of standing between; needs --yes',
  },
  yes: {
    flag: '--yes',
    group: 'server',
    kind: kinds.flag,
    default: false,
    help: 'MONITOR may slow this server down',
  },
  from: {
    flag: '--from <file>',
    group: 'server',
    kind: kinds.text,
    default: undefined,
    help: 'record what a text of MONITOR holds, as redis-cli and memtier_benchmark write it',
  },
};
