import assert from 'node:assert/strict';
import { accountFor } from '../../../src/plugins/registry.js';
import { createWork } from '../../../src/worker/cell.js';
import { loadParts } from '../../../src/worker/cell-parts.js';
import { jobOf } from '../../helpers/job.js';

const VALUE_BYTES = 100_000;
const OPERATIONS = 200;
/** What is kept of a value besides its characters is little. */
const ENOUGH = 0.9;

/** Keeps all that is sent, as a queue does. @returns {{commands: any, kept: unknown[]}} */
function createQueue() {
  /** @type {unknown[]} */
  const kept = [];
  const keep = (/** @type {unknown[]} */ ...args) => void kept.push(args);
  return { commands: { set: keep, hset: keep, command: keep, get: keep, pipeline: keep }, kept };
}

describe('what is queued while something is broken takes the memory that it would take in a service', () => {
  for (const [id, parameter, way] of /** @type {[string, any, string | undefined][]} */ ([
    ['append', null, undefined],
    ['set', null, undefined],
    ['hset', null, undefined],
    ['mix', { set: 1, 'set@100kb': 1 }, undefined],
    ['store', { count: 4 }, 'parallel'],
  ])) {
    it(`${id}`, async () => {
      const { setFlagsFromString } = await import('node:v8');
      setFlagsFromString('--expose-gc');
      const collect = (await import('node:vm')).runInNewContext('gc');
      const job = jobOf({
        ...{ command: 'break', workload: { id, parameter }, way, valueSize: VALUE_BYTES, tasks: 8 },
        target: /** @type {any} */ ({ topology: 'standalone' }),
        ...{
          shortestValue: VALUE_BYTES,
          keys: OPERATIONS,
          isFollowed: true,
          ownSizes: [{ valueSize: VALUE_BYTES, keys: OPERATIONS }],
        },
      });
      const parts = await loadParts(job);
      const work = await createWork(job, parts);
      const account = accountFor(parts.workload, parameter);
      const next = account?.fresh
        ? () => work.items.next()
        : account?.number(job, work.items, parameter).itemOf;
      const { commands, kept } = createQueue();
      collect();
      const before = process.memoryUsage().heapUsed;
      for (let number = 0; number < OPERATIONS; number++)
        for (const step of work.cycle.at?.(number) ?? work.cycle.next())
          step.send(commands, /** @type {any} */ (next?.(number)));
      collect();
      const grownBytes = process.memoryUsage().heapUsed - before;
      assert.ok(kept.length >= OPERATIONS);
      assert.ok(grownBytes > ENOUGH * OPERATIONS * VALUE_BYTES, `${grownBytes / 1e6} MB`);
    });
  }
});
