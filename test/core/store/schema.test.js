import assert from 'node:assert/strict';
import { readFileSync } from 'node:fs';
import { METRICS } from '../../../src/core/store/metrics/all-metrics.js';
import { createFixture, mixedReport } from '../../helpers/report-fixture.js';
import { SCHEMA, schemaErrors } from '../../helpers/report-schema.js';
import { seed000Report } from '../../helpers/seed-000.js';
import { stripComments } from '../../helpers/source.js';

const TYPES = [
  'axes',
  'benchmark/judge',
  'core/machine',
  'core/plan',
  'core/plugins',
  'core/relay',
  'core/server',
  'core/store',
  'core/worker',
  'options',
  'traffic',
]
  .map((folder) => readFileSync(new URL(`../../../src/${folder}/types.d.ts`, import.meta.url), 'utf8'))
  .map(stripComments)
  .join('\n');

/**
 * @param {string} name of an interface in some folder's types.d.ts
 * @returns {string[]} its fields, those it inherits too
 */
function fieldsOf(name) {
  const [, parents = '', body] =
    new RegExp(`export interface ${name}(?: extends ([\\w, ]+))? \\{\\n([\\s\\S]*?)\\n\\}`).exec(TYPES) ?? [];
  assert.ok(body, `there is no interface ${name}`);
  const own = [...body.matchAll(/^ {2}(\w+)\??:/gm)].map(([, field]) => field);
  return [...parents.split(', ').filter(Boolean).flatMap(fieldsOf), ...own];
}

/**
 * @param {string} name of a definition of the schema
 * @returns {{fields: string[], required: string[]}} with those that it takes over
 */
function describedBy(name) {
  const { properties, required, allOf = [] } = SCHEMA.definitions[name];
  const parents = allOf.map((/** @type {{$ref: string}} */ { $ref }) => describedBy($ref.split('/')[2]));
  return {
    fields: [...parents.flatMap((/** @type {any} */ each) => each.fields), ...Object.keys(properties)],
    required: [...parents.flatMap((/** @type {any} */ each) => each.required), ...required],
  };
}

/** Its fields are the metrics. */
const OF_METRICS = 'ClientCost';
const UNIONS = ['CellProfiles', 'CodePart', 'Finding', 'Fact'];

/** @param {string} name of a type that is one of several words @returns {string[]} */
function wordsOf(name) {
  const [, body = ''] = new RegExp(`export type ${name} =([^;]+);`).exec(TYPES) ?? [];
  return [...body.matchAll(/'([^']+)'/g)].map(([, word]) => word);
}

describe('the schema of the results', () => {
  it('allows every topology and every fault that can be asked for', () => {
    const { FaultPlan, Cell } = SCHEMA.definitions;
    assert.deepEqual(FaultPlan.properties.kind.enum.toSorted(), wordsOf('FaultKind').sort());
    assert.deepEqual(Cell.properties.topology.enum.toSorted(), wordsOf('Topology').sort());
  });

  const named = Object.keys(SCHEMA.definitions).filter((name) => /^[A-Z]/.test(name));
  for (const name of named.filter((each) => ![OF_METRICS, ...UNIONS].includes(each))) {
    it(`describes every field of ${name} in its types, and no other`, () => {
      const { fields, required } = describedBy(name);
      assert.deepEqual(fields.sort(), fieldsOf(name).sort());
      assert.deepEqual(
        required.filter((field) => !fields.includes(field)),
        [],
      );
    });
  }

  it('describes ClientCost by the metrics, and thereby every field that its type names', () => {
    const { fields, required } = describedBy(OF_METRICS);
    const metrics = METRICS.filter((metric) => metric.in === 'client').map(({ id, name = id }) => name);
    assert.deepEqual(fields.sort(), metrics.sort());
    assert.deepEqual(
      [...required, ...fieldsOf(OF_METRICS)].filter((field) => !fields.includes(field)),
      [],
    );
  });

  it('holds for reports of every kind', async () => {
    assert.deepEqual(schemaErrors(await mixedReport()), []);
    assert.deepEqual(schemaErrors(await seed000Report()), []);
  });

  it('holds for every workload, however it is written', async () => {
    const workload = 'get,set-get,mix:get=80,set=20,per-process:set,exists';
    const named = await createFixture({ given: { workload }, measured: () => null });
    const command = await createFixture({ given: { command: 'INCR {key}' }, measured: () => null });
    assert.deepEqual([schemaErrors(named), schemaErrors(command)], [[], []]);
  });

  it('does not hold for a report that lacks something, or has it wrong', async () => {
    const report = /** @type {any} */ (await seed000Report());
    for (const [path, value] of /** @type {[string[], unknown][]} */ ([
      [['seed'], undefined],
      [['schemaVersion'], 1],
      [['startedAt'], 'yesterday'],
      [['cells', '0', 'runs', '0', 'averageMs'], '100'],
      [['cells', '0', 'runs', '0', 'operations'], -1],
      [['cells', '0', 'summary', 'runs'], undefined],
      [['server', 'kind'], 'other'],
    ])) {
      const wrong = structuredClone(report);
      const last = path[path.length - 1];
      const owner = path.slice(0, -1).reduce((object, name) => object[name], wrong);
      if (value === undefined) delete owner[last];
      else owner[last] = value;
      assert.notDeepEqual(schemaErrors(wrong), [], path.join('.'));
    }
  });
});
