import { Ajv } from 'ajv';
import { RunError } from '../errors.js';

/** @import { ErrorObject } from 'ajv' */

/** As long as the files that a user may name: certificates and configurations. */
const LONGEST_TEXT = 1024 * 1024;

/** @param {number} maximum @param {number} [minimum] */
const integer = (maximum, minimum = 0) => ({ type: 'integer', minimum, maximum });
/** @param {number} maximum */
const number = (maximum) => ({ type: 'number', minimum: 0, maximum });
/** @param {number} maxLength @param {string} [pattern] */
const text = (maxLength, pattern = '') => ({ type: 'string', maxLength, pattern });
/** @param {object} items @param {number} maxItems */
const list = (items, maxItems) => ({ type: 'array', items, maxItems });
/** @param {{type: string}} schema */
const orNull = (schema) => ({ ...schema, type: [schema.type, 'null'] });
/** @param {Record<string, object>} required @param {Record<string, object>} [optional] and nothing else */
const exactly = (required, optional = {}) => ({
  type: 'object',
  properties: { ...required, ...optional },
  required: Object.keys(required),
  additionalProperties: false,
});

/** @param {string} names @param {object} schema that all of them have */
const each = (names, schema) => Object.fromEntries(names.split(' ').map((own) => [own, schema]));

const id = text(100, '^[A-Za-z][\\w.-]*$');
const name = text(300, '^[\\w.-]+$');
/** Of a file: never a URL. */
const path = text(4096, '^(/|[A-Za-z]:[\\\\/])');
const yes = { type: 'boolean' };
const amount = number(Number.MAX_SAFE_INTEGER);
const bytes = integer(512_000_000);
const address = exactly({ host: text(255), port: integer(65_535) });

/**
 * What plugins and clients read. Two kinds of option would open more than connections: engines of TLS are native code
 * in a file, and `fd` is a file that is open already.
 */
const PLAIN = {
  $id: 'plain',
  type: ['null', 'boolean', 'number', 'string', 'array', 'object'],
  maxLength: LONGEST_TEXT,
  items: { $ref: 'plain' },
  maxItems: 10_000,
  propertyNames: text(300, '^(?!(__proto__|fd|.*[eE]ngine)$)'),
  additionalProperties: { $ref: 'plain' },
  maxProperties: 1000,
};
const plain = { $ref: 'plain' };

const target = exactly(
  { transport: { enum: ['tcp', 'unix', 'tls'] } },
  {
    topology: { enum: ['standalone', 'cluster'] },
    path,
    ...address.properties,
    ...each('username password', text(10_000)),
    database: integer(1e6),
    tls: exactly({ rejectUnauthorized: yes }, each('ca cert key servername', text(LONGEST_TEXT))),
    ...each('nodes replicas', list(address, 5000)),
    readFrom: { enum: ['primary', 'replica'] },
    addressMap: { type: 'object', maxProperties: 6000, additionalProperties: address },
  },
);
const load = exactly(
  {
    ...each('ratePerSecond maxInFlight', amount),
    search: orNull(list(amount, 2)),
    sloMs: orNull(amount),
    arrivals: { enum: ['even', 'poisson', 'recorded'] },
    whenFull: { enum: ['wait', 'drop', 'fail'] },
  },
  { speed: amount },
);
const company = exactly({
  name: text(300),
  command: { enum: ['get', 'set', 'eval', 'blpop'] },
  bytes: orNull(bytes),
  ms: orNull(number(1000)),
  perSecond: orNull(number(10_000)),
});

/** A `Job` of a worker. */
const job = exactly(
  {
    ...each('client scenario', id),
    variant: text(300),
    entry: orNull(path),
    ...each('scenarioOptions clientOptions', plain),
    ...each('pipelining workload', exactly({ id }, each('parameter title data', plain))),
    tasks: integer(100_000, 1),
    ...each('appWorkUs seed keys', amount),
    beside: list(company, 20),
    ...each('keySize valueSize shortestValue', bytes),
    ownSizes: list(exactly({ valueSize: bytes, keys: amount }), 1000),
    value: { enum: ['text', 'json'] },
    keyDistribution: { enum: ['uniform', 'zipf', 'sequential'] },
    ...each('latency oneSlot', yes),
    load: orNull(load),
    part: exactly({ index: integer(1e6), count: integer(1e6, 1) }),
    keyPrefix: text(8, '^rpb:[0-9a-z]{4}$'),
    target,
    removal: { enum: [['DEL'], ['UNLINK'], ['PEXPIRE', '0']] },
    expireAfterMs: orNull(amount),
    runIds: orNull(list(text(100), 10_000)),
  },
  { pairs: yes, pluginFolders: { type: 'object', maxProperties: 10, additionalProperties: list(path, 100) } },
);

/** What the workers of a cell are asked by `call`, with its parameter. @type {Record<string, object>} */
const OF_WORKERS = {
  ...each('before-run after-run missing-keys finish begin-profile', {
    type: ['object', 'null'],
    maxProperties: 0,
  }),
  serve: integer(100_000, 1),
  'start-profile': exactly({ kind: { enum: ['cpu', 'heap'] }, intervalUs: integer(1e6, 1) }),
  'stop-profile': exactly({ ...each('fromMs toMs cpuUs', amount), whole: yes }),
};

const life = text(10, '^\\d+$');
/**
 * All that an agent does for whoever can reach its queue. Whether it may is another question: permissions.js.
 * @type {Record<string, object>}
 */
const SCHEMAS = {
  ...each('hello end', exactly({})),
  session: exactly({
    tool: text(50),
    commander: name,
    lease: exactly({ queue: text(300, '^commander\\.[\\w.-]+$'), job: { const: 'lease' } }),
  }),
  check: exactly({
    ...each('targets pluginFolders releases nodeBins profiles', list(text(5000), 10_000)),
    processes: integer(1e6, 1),
  }),
  prepare: exactly({
    life,
    job,
    processes: integer(1e6, 1),
    nodeBin: orNull(path),
    cpus: orNull(list(integer(10_000), 10_000)),
  }),
  run: exactly({
    life,
    length: exactly(
      { timed: yes },
      { alone: yes, ...each('iterations durationMs ratePerSecond ofRun startAtMs', amount) },
    ),
  }),
  ...each('stop interrupt kill', exactly({ life })),
  ...Object.fromEntries(
    Object.entries(OF_WORKERS).map(([method, params]) => [
      `call ${method}`,
      exactly({ life, method: { const: method } }, { params }),
    ]),
  ),
};

const ajv = new Ajv({ strict: true, allowUnionTypes: true });
ajv.addSchema(PLAIN);
const VALIDATORS = new Map(Object.entries(SCHEMAS).map(([method, schema]) => [method, ajv.compile(schema)]));

/**
 * @param {string} method the name of a job
 * @param {any} data that came with it
 * @throws {RunError} where it is not one of those that an agent does, or not of its shape
 */
export function checkJobShape(method, { session, ...data }) {
  const full = data.method === undefined ? method : `${method} ${data.method}`;
  const validate = VALIDATORS.get(full);
  if (validate === undefined) throw new RunError(`an agent does not know '${full.slice(0, 100)}'`);
  if (validate(data)) return;
  const [{ instancePath, message }] = /** @type {ErrorObject[]} */ (validate.errors);
  throw new RunError(`'${full}' was refused: ${instancePath.slice(1) || 'it'} ${message}`);
}
