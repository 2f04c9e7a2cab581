import { openSync, writeSync } from 'node:fs';
import { devNull } from 'node:os';
import raw from '../../../../src/plugins/clients/raw.js';

/** What an operation of this client does besides, by variant: known, so that it must be found. */
export const BURN_US = 40;
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
    burn: { work: burnTime },
    allocate: { work: allocateArray },
    'write-twice': { work: writeSomewhere },
  },

  /** @type {(target: any, options: any) => Promise<any>} */
  async connect(target, { work }) {
    const connection = await raw.connect(target);
    const get = connection.get.bind(connection);
    connection.get = (key) => {
      work?.();
      return get(key);
    };
    return connection;
  },
};

/** Looks at the clock until the time is over. */
function burnTime() {
  const end = performance.now() + BURN_US / 1000;
  while (performance.now() < end);
}

/** @type {unknown} */
export let kept;

function allocateArray() {
  kept = new Array(ARRAY_LENGTH).fill(0.5);
}

const nowhere = openSync(devNull, 'w');

function writeSomewhere() {
  writeSync(nowhere, 'x');
}
