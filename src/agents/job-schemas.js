import { RunError } from '../errors.js';
import { each, exactly, integer } from '../schemas.js';
import {
  amount,
  checksOf,
  fullName,
  LONGEST_TEXT,
  list,
  name,
  orNull,
  path,
  plain,
  text,
  yes,
} from './shapes.js';

const id = text(100, '^[A-Za-z][\\w.-]*$');
const bytes = integer(512_000_000);
const address = exactly({ host: text(255), port: integer(65_535) });

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
const job = exactly(
  {
    ...each('client scenario', id),
    variant: text(300),
    entry: orNull(path),
    ...each('scenarioOptions clientOptions', plain),
    ...each('pipelining workload', exactly({ id }, { parameter: plain })),
    tasks: integer(100_000, 1),
    ...each('appWorkUs seed keys', amount),
    ...each('keySize valueSize shortestValue', bytes),
    ownSizes: list(exactly({ valueSize: bytes, keys: amount }), 1000),
    value: { enum: ['text', 'json', 'records'] },
    keyDistribution: { enum: ['uniform', 'zipf', 'sequential'] },
    ...each('latency oneSlot', yes),
    load: orNull(load),
    part: exactly({ index: integer(1e6), count: integer(1e6, 1) }),
    keyPrefix: text(8, '^rpb:[0-9a-z]{4}$'),
    target,
    removal: { enum: [['DEL'], ['UNLINK'], ['PEXPIRE', '0']] },
    runIds: orNull(list(text(100), 10_000)),
  },
  {
    ...each('pairs', yes),
    way: id,
    scripts: { enum: ['open', 'silent'] },
    replies: { enum: ['string', 'buffer'] },
    encode: { enum: ['none', 'json', 'msgpack', 'json+gzip'] },
    pluginFolders: { type: 'object', maxProperties: 10, additionalProperties: list(path, 100) },
  },
);

/** Parameters of `call`, which asks the workers of a cell. @type {Record<string, object>} */
const OF_WORKERS = {
  ...each('before-run after-run missing-keys finish begin-profile', {
    type: ['object', 'null'],
    maxProperties: 0,
  }),
  serve: integer(100_000, 1),
  'start-profile': exactly({ kind: { enum: ['cpu', 'heap'] }, intervalUs: integer(1e6, 1) }),
  'stop-profile': exactly({ ...each('fromMs toMs cpuUs', amount), whole: yes }),
};

const workersId = text(10, '^\\d+$');
/** All that any caller can ask; permissions.js says what is allowed. @type {Record<string, object>} */
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
    workersId,
    job,
    processes: integer(1e6, 1),
    nodeBin: orNull(path),
    cpus: orNull(list(integer(10_000), 10_000)),
  }),
  run: exactly({
    workersId,
    length: exactly({ timed: yes }, each('iterations durationMs ratePerSecond ofRun startAtMs', amount)),
  }),
  ...each('stop interrupt kill', exactly({ workersId })),
  ...Object.fromEntries(
    Object.entries(OF_WORKERS).map(([method, params]) => [
      `call ${method}`,
      exactly({ workersId, method: { const: method } }, { params }),
    ]),
  ),
};

const CHECKS = checksOf(SCHEMAS);

/** @param {string} method of a job @param {any} given with it @throws {RunError} where it is unknown or malformed */
export function checkJobShape(method, { session, ...data }) {
  const full = fullName(method, data);
  const check = CHECKS.get(full);
  if (check === undefined) throw new RunError(`an agent does not know '${full.slice(0, 100)}'`);
  const wrong = check(data);
  if (wrong !== null) throw new RunError(`'${full}' was refused: ${wrong}`);
}
