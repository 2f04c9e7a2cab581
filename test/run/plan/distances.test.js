import assert from 'node:assert/strict';
import { AXES, groupOf, idOf } from '../../../src/axes/all-axes.js';
import { resolveOptions } from '../../../src/commands/benchmark/settings.js';
import { loadOptions } from '../../../src/options/catalogue.js';

const OPTIONS = await loadOptions();

/** @param {Record<string, unknown>} given */
const settingsOf = (given) =>
  resolveOptions(given, { id: 'none', title: '', summary: '', options: {} }, OPTIONS);

function rttAxis() {
  const rtt = AXES.find((axis) => typeof axis === 'object' && axis.id === 'rtt');
  assert.ok(typeof rtt === 'object' && rtt.asked);
  return { ...rtt, asked: rtt.asked };
}

describe('distances', () => {
  it('are read from times, numbers of milliseconds, 0 and relay', () => {
    assert.deepEqual(settingsOf({}).rtt, [0]);
    assert.deepEqual(settingsOf({ rtt: '0,0.5ms,500us,2ms,1s,relay' }).rtt, [0, 0.5, 2, 1000, 'relay']);
    assert.deepEqual(settingsOf({ rtt: [0, 0.5, 20] }).rtt, [0, 0.5, 20]);
  });

  for (const rtt of ['none', '-1ms', '11s', '2', '', [-1], [10_001], [Number.NaN], ['2m']]) {
    it(`refuse ${JSON.stringify(rtt)}`, () => {
      assert.throws(() => settingsOf({ rtt }), {
        name: 'UsageError',
        message: /^--rtt.*(0, relay, or a time such as 0.5ms or 20ms, up to 10s|at least one value)/,
      });
    });
  }

  it('need a delay that --jitter can vary', () => {
    const message = /^--jitter needs --rtt;/;
    assert.throws(() => settingsOf({ jitter: '10%' }), { message });
    assert.equal(settingsOf({ jitter: '10%', rtt: '0,1ms' }).jitter, 10);
  });

  it('make a cell that is reached without a relay no other than it was', () => {
    const rtt = rttAxis();
    const [none, relay, far] = rtt.asked(settingsOf({ rtt: [0, 'relay', 2], jitter: 10 }));
    assert.deepEqual(none, {});
    assert.deepEqual(relay, { distance: { rttMs: 0, jitterPercent: 0 } });
    assert.deepEqual(far, { distance: { rttMs: 2, jitterPercent: 10 } });
    const cell = /** @type {any} */ ({ client: 'raw', scenario: 'x', tasks: 8, processes: 1 });
    assert.equal(idOf({ ...cell, ...far }), `${idOf(cell)}/rtt-2ms jitter-10%`);
    assert.equal(groupOf({ ...cell, ...relay }), `${groupOf(cell)}/rtt-relay`);
  });
});
