/** @import { Environment, Placement } from '../machine/types.js' */
/** @import { Settings } from '../../options/types.js' */
/** @import { Plan } from '../plan/types.js' */
/** @import { ServerFacts } from '../server/types.js' */
/** @import { ResultHeader, WakingFact } from './types.js' */

export const SCHEMA_VERSION = 2;

/**
 * @param {object} facts @param {Plan} facts.plan @param {Settings} facts.settings
 * @param {ResultHeader['command']} [facts.command] where it is no benchmark
 * @param {{id: string, title: string, format?: string}} facts.suite @param {Environment} facts.environment
 * @param {ServerFacts[]} facts.servers one per topology @param {Placement[]} facts.placements
 * @param {ResultHeader['tool']} facts.tool @param {Date} facts.startedAt @param {WakingFact} [facts.waking]
 * @returns {ResultHeader}
 */
export const createHeader = ({ plan, settings, suite, startedAt, servers, ...facts }) => ({
  type: 'header',
  schemaVersion: SCHEMA_VERSION,
  ...facts,
  server: servers[0],
  servers,
  startedAt: startedAt.toISOString(),
  seed: settings.seed,
  suite: { id: suite.id, title: suite.title, format: suite.format ?? 'table' },
  settings: {
    runs: settings.runs,
    starts: settings.starts,
    untilStable: settings.untilStable ?? null,
    ...(settings.races && { races: true }),
    warmupRuns: settings.warmupRuns,
    runTimeMs: settings.runTimeMs,
    durationMs: settings.durationMs ?? null,
    iterations: settings.iterations,
    value: settings.value,
    keyDistribution: settings.keyDistribution,
    oneSlot: settings.oneSlot,
    assert: settings.assert,
    assertStrict: settings.assertStrict,
    smoke: settings.smoke,
  },
  cells: plan.cells,
});
