/** @import { Axis } from '../../analysis/findings/choices.js' */

/**
 * How advice puts a choice: as something to do. What has no words of its own here (a plugin that is
 * new) is named by its id.
 */

/** @type {Record<string, string>} */
const SCENARIOS = {
  'shared connection': 'share one connection',
  'connection per task': 'give each task a connection of its own',
  pool: 'use a pool of connections',
  'open and close': 'open a connection for each operation',
};

/** @type {Record<string, string>} */
const VARIANTS = {
  'redis:tuned': 'turn the per-command timeout off (redis:tuned)',
  'ioredis:auto-pipelining': 'turn auto-pipelining on (ioredis:auto-pipelining)',
};

/** @type {Record<string, string>} */
const TRANSPORTS = {
  tcp: 'connect over TCP',
  unix: 'connect over the unix socket',
  tls: 'connect over TLS',
};

/**
 * What to do, for each axis that advice is given on, from the axis' value.
 *
 * @type {Record<Axis, (value: string) => string>}
 */
export const IMPERATIVES = {
  scenario: (name) => SCENARIOS[name] ?? `use '${name}'`,
  release: (name) => `use ${name}`,
  variant: (name) => VARIANTS[name] ?? (name.includes(':') ? `use ${name}` : 'keep its default options'),
  client: (name) => `use ${name}`,
  transport: (id) => TRANSPORTS[id] ?? `connect over ${id}`,
  pipelining: (id) => `use the pipelining mode '${id}'`,
};
