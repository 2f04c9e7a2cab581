import ioredis from '../../../../src/plugins/clients/ioredis.js';

/** @import { Connection } from '../../../../src/plugins/types.js' */
/** @import { Report } from '../../../../src/store/types.js' */

/** @typedef {(connection: Connection, key: string) => Promise<unknown>} Get */

const LOOP_TURNS = 2300;
const TIMER_MS = 1;
/** Of 40 bytes each: 20 kB. */
const OBJECTS = 500;
const LONGER = 10;

/** ioredis with a cost that is known, by variant: a GET is answered as it should be, and does something else as well. */
export default {
  ...ioredis,
  id: 'planted',
  title: 'ioredis, with planted costs',
  variants: {
    default: {},
    loop: { get: loop },
    timer: { get: timer },
    twice: { get: twice },
    longer: { get: longer },
    garbage: { get: garbage },
  },
  variantWords: {},
  since: {},
  switches: {},

  /** @type {(target: any, options: any, library: any, manners: any) => Promise<Connection>} */
  async connect(target, { get: planted = plain, ...options }, library, manners) {
    const connection = await ioredis.connect(target, options, library, manners);
    const get = /** @type {any} */ (connection).get.bind(connection);
    /** @type {any} */ (connection).get = (/** @type {string} */ key) =>
      /** @type {Get} */ (planted)(
        /** @type {any} */ ({ get, command: connection.command.bind(connection) }),
        key,
      );
    return connection;
  },
};

/** The causes that name what was planted. @type {Record<string, string[]>} */
export const PLANTED = {
  loop: ['client'],
  timer: ['waiting', 'lockstep'],
  twice: ['more-commands', 'more-round-trips'],
  longer: ['more-bytes'],
  garbage: ['garbage'],
};

/**
 * @param {Pick<Report, 'cells' | 'findings'>} report of the default variant and of another @param {string} variant
 * @returns {'planted' | 'other' | 'none' | 'not slower'} which cause it names first
 * @throws {Error} if a cell failed, in which nothing is planted
 */
export function namedFirst({ cells, findings }, variant) {
  const failed = cells.flatMap(({ runs }) => runs.flatMap((run) => run.failed ?? []));
  if (failed.length > 0) throw new Error(failed[0]);
  const [slower] = findings.flatMap((finding) => (finding.kind === 'slower' ? finding : []));
  if (slower === undefined) return 'not slower';
  const [first] = slower.causes;
  if (first === undefined) return 'none';
  const kind = first.kind === 'cpu' ? first.of : first.kind;
  const isPlanted = slower.cell.startsWith(`planted:${variant}/`) && PLANTED[variant].includes(kind);
  return isPlanted ? 'planted' : 'other';
}

/** @type {any} */
export let kept = 1;

/** @type {Get} */
const plain = ({ get }, key) => get(key);

/** @type {Get} */
function loop({ get }, key) {
  let value = Number(kept);
  for (let turn = 0; turn < LOOP_TURNS; turn++) value = (Math.imul(value, 1_103_515_245) + 12_345) | 0;
  kept = value;
  return get(key);
}

/** @type {Get} */
async function timer({ get }, key) {
  const reply = await get(key);
  return new Promise((resolve) => setTimeout(resolve, TIMER_MS, reply));
}

/** @type {Get} */
async function twice({ get }, key) {
  await get(key);
  return get(key);
}

/** Keys whose long values are stored. @type {Set<string>} */
const lengthened = new Set();

/** @type {Get} */
async function longer({ get, command }, key) {
  const long = `${key}:long`;
  if (!lengthened.has(key)) await command(['SET', long, String(await get(key)).repeat(LONGER)]);
  lengthened.add(key);
  const text = String(await get(long));
  return text.slice(0, text.length / LONGER);
}

/** @type {Get} */
function garbage({ get }, key) {
  const objects = new Array(OBJECTS);
  for (let place = 0; place < OBJECTS; place++) objects[place] = { key, place };
  kept = objects;
  return get(key);
}
