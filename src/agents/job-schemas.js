import { Ajv } from 'ajv';
import { RunError } from '../errors.js';

/** @import { ErrorObject } from 'ajv' */

/** As long as the files that a user may name: certificates and configurations. */
const LONGEST_TEXT = 1024 * 1024;
const LARGEST_VALUE = 512_000_000;

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

const id = text(100, '^[A-Za-z][\\w.-]*$');
const name = text(300, '^[\\w.-]+$');
const yes = { type: 'boolean' };
const nothing = { type: ['object', 'null'], maxProperties: 0 };
const pem = text(LONGEST_TEXT);
/** Of a file: never a URL. */
const path = text(4096, '^(/|[A-Za-z]:[\\\\/])');
const port = integer(65_535);
const address = exactly({ host: text(255), port });
const sized = { valueSize: integer(LARGEST_VALUE), keys: integer(1e9) };

/**
 * What plugins and clients check themselves. Two kinds of option would open more than connections: engines of TLS are
 * native code in a file, and `fd` is a file that is open already.
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
/** A `Chosen`. */
const chosen = exactly({ id }, { parameter: plain, title: text(LONGEST_TEXT), data: plain });

const target = exactly(
  { transport: { enum: ['tcp', 'unix', 'tls'] } },
  {
    topology: { enum: ['standalone', 'cluster'] },
    host: text(255),
    port,
    path,
    username: text(1000),
    password: text(10_000),
    database: integer(1e6),
    tls: exactly({ rejectUnauthorized: yes }, { ca: pem, cert: pem, key: pem, servername: text(255) }),
    nodes: list(address, 1000),
    replicas: list(address, 5000),
    readFrom: { enum: ['primary', 'replica'] },
    addressMap: { type: 'object', maxProperties: 6000, additionalProperties: address },
  },
);

/** An `OpenLoopPlan`. */
const load = exactly(
  {
    ratePerSecond: number(1e9),
    search: orNull(list(number(1e9), 2)),
    sloMs: orNull(number(1e9)),
    arrivals: { enum: ['even', 'poisson', 'recorded'] },
    whenFull: { enum: ['wait', 'drop', 'fail'] },
    maxInFlight: integer(1e9),
  },
  { speed: number(1e6) },
);

/** A `CompanyPart`. */
const company = exactly({
  name: text(300),
  command: { enum: ['get', 'set', 'eval', 'blpop'] },
  bytes: orNull(integer(LARGEST_VALUE)),
  ms: orNull(number(1000)),
  perSecond: orNull(number(10_000)),
});

/** A `Job` of a worker. */
const job = exactly(
  {
    client: id,
    entry: orNull(path),
    variant: text(300),
    scenario: id,
    scenarioOptions: plain,
    pipelining: chosen,
    workload: chosen,
    tasks: integer(100_000, 1),
    appWorkUs: number(1e9),
    beside: list(company, 20),
    keySize: integer(LARGEST_VALUE),
    shortestValue: integer(LARGEST_VALUE),
    ...sized,
    ownSizes: list(exactly(sized), 1000),
    value: { enum: ['text', 'json'] },
    keyDistribution: { enum: ['uniform', 'zipf', 'sequential'] },
    seed: number(Number.MAX_SAFE_INTEGER),
    latency: yes,
    clientOptions: plain,
    load: orNull(load),
    part: exactly({ index: integer(1e6), count: integer(1e6, 1) }),
    keyPrefix: text(8, '^rpb:[0-9a-z]{4}$'),
    oneSlot: yes,
    target,
    removal: { enum: [['DEL'], ['UNLINK'], ['PEXPIRE', '0']] },
    expireAfterMs: orNull(integer(1e9)),
    runIds: orNull(list(text(100), 10_000)),
  },
  { pairs: yes, pluginFolders: { type: 'object', maxProperties: 10, additionalProperties: list(path, 100) } },
);

const life = text(10, '^\\d+$');
const ms = number(1e15);

/** What the workers of a cell are asked by `call`, with its parameter. @type {Record<string, object>} */
const OF_WORKERS = {
  'before-run': nothing,
  'after-run': nothing,
  'missing-keys': nothing,
  finish: nothing,
  serve: integer(100_000, 1),
  'start-profile': exactly({ kind: { enum: ['cpu', 'heap'] }, intervalUs: integer(1e6, 1) }),
  'begin-profile': nothing,
  'stop-profile': exactly({ fromMs: ms, toMs: ms, cpuUs: number(1e12), whole: yes }),
};

/**
 * All that an agent does for whoever can reach its queue. Whether it may is another question: permissions.js.
 *
 * @type {Record<string, object>}
 */
const SCHEMAS = {
  hello: exactly({}),
  session: exactly({
    tool: text(50),
    commander: name,
    lease: exactly({ queue: text(300, '^commander\\.[\\w.-]+$'), job: { const: 'lease' } }),
  }),
  end: exactly({}),
  check: exactly({
    targets: list(text(5000), 10_000),
    pluginFolders: list(path, 1000),
    releases: list(text(5000), 1000),
    nodeBins: list(text(5000), 1000),
    profiles: list(path, 1000),
    processes: integer(1e6),
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
      {
        iterations: integer(1e12),
        durationMs: number(1e9),
        ratePerSecond: number(1e9),
        ofRun: integer(1e12),
        alone: yes,
        startAtMs: ms,
      },
    ),
  }),
  ...Object.fromEntries(['stop', 'interrupt', 'kill'].map((method) => [method, exactly({ life })])),
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
  const full = method === 'call' ? `call ${data.method}` : method;
  const validate = VALIDATORS.get(full);
  if (validate === undefined) throw new RunError(`an agent does not know '${full.slice(0, 100)}'`);
  if (validate(data)) return;
  const [{ instancePath, message }] = /** @type {ErrorObject[]} */ (validate.errors);
  throw new RunError(`'${full}' was refused: ${instancePath.slice(1) || 'it'} ${message}`);
}
