import { writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import raw from '../../../../src/plugins/clients/raw.js';

/** What an operation of this client does besides, by variant: known, so that it must be found. */
const ARRAY_LENGTH = 500;
/** A double for each element, and the head of the array and of its elements. */
export const ALLOCATED_BYTES = 16 + 16 + ARRAY_LENGTH * 8;

/** The bare client with work of its own in functions with names. */
export default {
  ...raw,
  id: 'burner',
  title: 'burner',
  floor: false,
  variants: {
    default: {},
    burn: { work: burnSoon },
    allocate: { work: allocateArray },
  },

  /** @type {(target: any, options: any) => Promise<any>} */
  async connect(target, { work }) {
    const connection = await raw.connect(target);
    const get = connection.get.bind(connection);
    connection.get = (key) => {
      work?.();
      return get(key);
    };
    const close = connection.close.bind(connection);
    connection.close = async () => {
      if (burns > 0) writeFileSync(burnsFile(process.ppid), JSON.stringify([...took.subarray(0, burns)]));
      await close();
    };
    return connection;
  },
};

/**
 * @param {number} pid of the tool
 * @returns {string} a file with the time of each burn, in µs by the burner's own clock, the last one at its end: what
 *   a busy machine adds to a burn is in it
 */
export const burnsFile = (pid) => join(tmpdir(), `rpb-burns-${pid}.json`);

/** Some 60 µs of compiled code. */
const ROUNDS = 60_000;
const MOST_BURNS = 1_000_000;
const took = new Float64Array(MOST_BURNS);
let burns = 0;
/** @type {number} */
export let result;

/** Not from within its caller, into which the compiler would put it, so that the time would be the caller's. */
function burnSoon() {
  void Promise.resolve().then(burnTime);
}

function burnTime() {
  const from = performance.now();
  let value = 1;
  for (let round = 0; round < ROUNDS; round++) value = (Math.imul(value, 1_103_515_245) + 12_345) | 0;
  result = value;
  took[burns++ % MOST_BURNS] = (performance.now() - from) * 1000;
}

/** @type {unknown} */
export let kept;

function allocateArray() {
  kept = new Array(ARRAY_LENGTH).fill(0.5);
}
