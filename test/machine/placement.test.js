import assert from 'node:assert/strict';
import { placeProcesses } from '../../src/machine/placement.js';

/** @param {Partial<Parameters<typeof placeProcesses>[0]>} facts */
const place = (facts) =>
  placeProcesses({
    pin: 'apart',
    allowed: [0, 1, 2, 3],
    canPin: true,
    serverKind: 'managed',
    serverCpu: null,
    ...facts,
  });

describe('machine/placement', () => {
  describe('apart', () => {
    it('gives a managed server one core and the workers the others', () => {
      assert.deepEqual(place({}), { pin: 'apart', serverCpus: [0], workerCpus: [1, 2, 3], note: null });
    });
    it('uses only what is allowed', () => {
      const { serverCpus, workerCpus } = place({ allowed: [5, 7] });
      assert.deepEqual([serverCpus, workerCpus], [[5], [7]]);
    });
    it('cannot be done with one core, and says so', () => {
      const { serverCpus, workerCpus, note } = place({ allowed: [3] });
      assert.deepEqual([serverCpus, workerCpus], [null, null]);
      assert.deepEqual(note, { kind: 'one-cpu' });
    });
    it('leaves an external server where it is, and keeps the workers off its core', () => {
      const { serverCpus, workerCpus, note } = place({ serverKind: 'external', serverCpu: 2 });
      assert.equal(serverCpus, null);
      assert.deepEqual(workerCpus, [0, 1, 3]);
      assert.deepEqual(note, { kind: 'server-not-pinned' });
    });
    it('keeps all allowed cores where the external server runs on another one', () => {
      assert.deepEqual(place({ serverKind: 'external', serverCpu: 9 }).workerCpus, [0, 1, 2, 3]);
    });
  });

  describe('same', () => {
    it('puts both on one core', () => {
      const { serverCpus, workerCpus } = place({ pin: 'same' });
      assert.equal(serverCpus?.length, 1);
      assert.deepEqual(workerCpus, serverCpus);
    });
    it('can be done with one core', () => {
      assert.deepEqual(place({ pin: 'same', allowed: [3] }).workerCpus, [3]);
    });
    it('puts the workers onto the core of an external server', () => {
      const { serverCpus, workerCpus } = place({ pin: 'same', serverKind: 'external', serverCpu: 2 });
      assert.deepEqual([serverCpus, workerCpus], [null, [2]]);
    });
  });

  describe('with a relay', () => {
    /** @param {Parameters<typeof place>[0]} facts */
    const cpus = (facts) => {
      const { serverCpus, workerCpus, relayCpus } = place({ relay: true, ...facts });
      return { serverCpus, workerCpus, relayCpus };
    };

    it('gives it a core of its own where there are three', () => {
      assert.deepEqual(cpus({}), { serverCpus: [0], workerCpus: [1, 2], relayCpus: [3] });
      assert.deepEqual(cpus({ serverKind: 'external', serverCpu: 2 }), {
        ...{ serverCpus: null, workerCpus: [0, 1], relayCpus: [3] },
      });
    });
    it('has it share the core of the server where there are two, never that of the worker', () => {
      assert.deepEqual(cpus({ allowed: [5, 7] }), { serverCpus: [5], workerCpus: [7], relayCpus: [5] });
    });
    it('keeps it off the core that server and worker share', () => {
      assert.deepEqual(cpus({ pin: 'same' }), { serverCpus: [0], workerCpus: [0], relayCpus: [1] });
    });
    it('does not pin it where nothing is pinned', () => {
      assert.equal(cpus({ pin: 'off' }).relayCpus, undefined);
    });
  });

  describe('not pinned, and reported', () => {
    for (const [why, kind, facts] of /** @type {[string, string, Parameters<typeof place>[0]][]} */ ([
      ['asked for', 'pin-off', { pin: 'off' }],
      ['without taskset', 'no-taskset', { canPin: false }],
      ['where the processors are not known', 'no-taskset', { allowed: null }],
      [
        'where the external server is not to be seen',
        'server-elsewhere',
        { serverKind: 'external', serverCpu: null },
      ],
      [
        'where the server does not say which process it is',
        'server-unknown',
        { serverKind: 'external', serverCpu: null, isUnknown: true },
      ],
    ])) {
      it(why, () => {
        const { serverCpus, workerCpus, note, pin } = place(facts);
        assert.deepEqual([serverCpus, workerCpus], [null, null]);
        assert.equal(pin, facts.pin ?? 'apart');
        assert.deepEqual(note, { kind });
      });
    }
  });
});
