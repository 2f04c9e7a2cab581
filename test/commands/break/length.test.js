import assert from 'node:assert/strict';
import { withLengths } from '../../../src/commands/break/length.js';
import { OPTIONS } from '../../../src/commands/break/options.js';
import { parseClient } from '../../../src/options/client-options.js';
import { loadPlugins } from '../../../src/plugins/registry.js';

/** @type {Map<string, any>} */
let known;
before(async () => {
  known = await loadPlugins('clients');
});

const SETTINGS = { rate: [2000], size: [100], topology: ['standalone'], smoke: false };

/** @param {string} faults @param {object} [settings] @param {string[]} [clients] @param {any} [config] */
function lengthsOf(faults, settings, clients = ['redis', 'ioredis'], config = {}) {
  const given = /** @type {any} */ ({ ...SETTINGS, fault: OPTIONS.fault.kind(faults), ...settings });
  const asked = { clients: clients.map((name) => parseClient(name, known)), known, config };
  const { settings: found, notes } = withLengths(given, asked);
  return {
    durationMs: found.durationMs,
    each: found.fault?.map(({ durationMs }) => Number(durationMs) / 1000),
    notes,
  };
}

describe('how long a run with a fault lasts by default', () => {
  it('is as long as its fault needs, and not longer because of another', () => {
    const { each, durationMs } = lengthsOf('cut,stall:2s,stall:10s,restart');
    assert.deepEqual([each, durationMs], [[10, 10, 22, 10], 22_000]);
  });

  it('leaves time for the timeouts of clients where a connection is silent', () => {
    assert.deepEqual(lengthsOf('half-open').each, [10], 'no option of these ends one');
    for (const name of ['redis:careful', 'ioredis:careful', 'ioredis{socketTimeout:2000}'])
      assert.deepEqual(lengthsOf('half-open', {}, ['redis', name]).each, [23], name);
    assert.deepEqual(lengthsOf('half-open', {}, ['ioredis{socketTimeout:9000}']).each, [33]);
    assert.deepEqual(
      lengthsOf('half-open', {}, ['ioredis'], { ioredis: { socketTimeout: 9000 } }).each,
      [33],
    );
    assert.deepEqual(lengthsOf('cut', {}, ['redis:careful']).each, [10]);
  });

  it('counts from the end of a pause, and from --fault-at', () => {
    assert.deepEqual(lengthsOf('freeze:8s,stall:20s', { idle: [10_000] }).each, [12, 29]);
    assert.deepEqual(lengthsOf('stall:20s', { faultAtMs: 2000 }).each, [27]);
  });

  it('leaves time for the end of an old primary behind Sentinels', () => {
    assert.deepEqual(lengthsOf('failover:1s', { topology: ['sentinel'] }).each, [23]);
  });
});

describe('a run that is too short', () => {
  for (const [faults, settings, expected] of /** @type {[string, object, [number, boolean] | null][]} */ ([
    ['stall:6s', { durationMs: 8000 }, [16_000, true]],
    ['stall:6s', { durationMs: 9000 }, [16_000, false]],
    ['stall:6s', { durationMs: 16_000 }, null],
    ['stall:6s', { durationMs: 8000, faultAtMs: 500 }, null],
    ['half-open', { durationMs: 3000 }, [23_000, false]],
    ['freeze:8s', { durationMs: 4000, idle: [10_000] }, [12_000, true]],
    ['freeze:8s', { durationMs: 4000, idle: [20_000] }, null],
    ['cut', { durationMs: 500 }, null],
    ['stall:6s', { durationMs: 600, smoke: true }, null],
  ])) {
    it(`${faults} with ${JSON.stringify(settings)} is ${expected === null ? 'not' : ''} said before`, () => {
      const { notes, durationMs } = lengthsOf(faults, settings, ['ioredis:careful']);
      assert.equal(durationMs, /** @type {any} */ (settings).durationMs);
      const found = notes.map((/** @type {any} */ note) => [
        note.kind,
        note.fault,
        note.neededMs,
        note.surely,
      ]);
      assert.deepEqual(found, expected === null ? [] : [['run-too-short', faults, ...expected]]);
    });
  }
});
