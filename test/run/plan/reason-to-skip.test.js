import assert from 'node:assert/strict';
import { resolveOptions } from '../../../src/commands/benchmark/settings.js';
import { loadCatalogue } from '../../../src/options/catalogue.js';
import { loadPlugin } from '../../../src/plugins/registry.js';
import { factText } from '../../../src/report/fact-words.js';
import { planOf } from '../../helpers/plan.js';

const OF_OWN = {
  command: ['user: HGETALL {key}', 'GET {key} ; TTL {key}'],
  share: ['80', '20'],
  prepare: ['HSET {key} f {value}', 'SET {key} {value}'],
};
const REPLICAS = { topology: 'cluster', replicas: 1, readFrom: 'primary' };

/** @type {[name: string, given: Record<string, unknown>, said: RegExp][]} */
const REFUSED = [
  [
    'reads of replicas, of a request in a mix',
    { ...REPLICAS, workload: 'mix:get=95,fetch:20=5' },
    /answer FETCH:20 otherwise; --read-from is for exists, get, mix$/,
  ],
  [
    'reads of replicas, of own commands by shares',
    { ...REPLICAS, ...OF_OWN },
    /answer 80× user, 20× GET \{key\}; TTL \{key\} otherwise/,
  ],
  [
    'reads of replicas, of one own command',
    { ...REPLICAS, command: 'GET {key}', prepare: 'SET {key} {value}' },
    /answer GET \{key\} otherwise/,
  ],
  ['reads of replicas, of a workload', { ...REPLICAS, workload: 'hset' }, /answer hset otherwise/],
  [
    'batches of a request in a mix',
    { pipelining: 'explicit:5', workload: 'mix:get=95,fetch:20=5' },
    /how FETCH:20 sends/,
  ],
  ['batches of a sequence among shares', { pipelining: 'explicit:5', ...OF_OWN }, /how GET \{key\}; TTL/],
  [
    'fewer keys than the longest request in a mix needs',
    { keys: 10, workload: 'mix:fetch:20=5,fetch:40=5,get=90' },
    /^FETCH:40 needs 40 different keys/,
  ],
  [
    'a way that a sequence among shares has not',
    { way: 'mget', ...OF_OWN },
    /^mget is not for GET \{key\}; TTL \{key\}; use --way/,
  ],
];

describe('run/plan/reason-to-skip: names the part of a workload that it refuses', () => {
  for (const [name, given, said] of REFUSED)
    it(name, async () => {
      const all = { clients: 'raw', scenarios: 'shared-connection', ...given };
      const settings = resolveOptions(all, await loadPlugin('suites', 'default'));
      const reasons = planOf(settings, await loadCatalogue(), ['tcp', 'unix']).cells.map(
        ({ skipped }) => skipped,
      );
      assert.ok(reasons.length > 0);
      for (const reason of reasons) assert.match(String(reason && factText(reason)), said);
    });
});
