/**
 * Does profiling change the timed figures? Small benchmarks with and without --profile, in pairs: who goes first
 * changes from pair to pair. Profiles are taken after the last timed run, so nothing should be claimed.
 *
 * Usage: node test/performance/profile-cost.js [pairs]
 *
 * It prints after each pair, so that it may be stopped.
 */

import { paired } from '../../src/analysis/statistics/t-test.js';
import { benchmark } from '../../src/index.js';

/** @import { Summary } from '../../src/analysis/types.js' */

const SMALL = {
  clients: 'redis',
  scenarios: 'shared-connection',
  tasks: 64,
  runs: 3,
  starts: 1,
  runTimeMs: 100,
};
/** @type {Record<string, (summary: Summary) => number>} */
const FIGURES = {
  'operations a second': ({ opsPerSecond }) => opsPerSecond,
  'client CPU an operation': ({ client }) => Number(client.cpuUsPerOp),
  'server CPU a command': ({ server }) => Number(server.cpuUsPerCommand),
};
const CLAIMED_BELOW = 0.05;

const pairs = Number(process.argv[2] ?? 10);
/** @type {{profiled: Summary[], plain: Summary[]}} */
const found = { profiled: [], plain: [] };
for (let pair = 0; pair < pairs; pair++) {
  for (const profile of pair % 2 === 0 ? [true, false] : [false, true]) {
    const [cell] = (await benchmark({ ...SMALL, seed: pair, profile })).cells;
    if (cell.summary === null) throw new Error(`no result: ${JSON.stringify(cell.runs)}`);
    if ((cell.profiles !== undefined) !== profile)
      throw new Error(`profiled: ${!profile} instead of ${profile}`);
    found[profile ? 'profiled' : 'plain'].push(cell.summary);
  }
  console.log(`${pair + 1} pairs`);
  if (pair > 0) tell();
}

function tell() {
  for (const [name, figureOf] of Object.entries(FIGURES)) tellOf(name, figureOf);
}

/** @param {string} name @param {(summary: Summary) => number} figureOf */
function tellOf(name, figureOf) {
  const [profiled, plain] = [found.profiled, found.plain].map((all) => all.map(figureOf).map(Math.log));
  const { p, interval } = paired(profiled, plain);
  const { low, high } = interval();
  const [ratio, ...range] = [(low + high) / 2, low, high].map((log) => Math.exp(log).toFixed(3));
  const isAll = found.plain.length === pairs;
  const claim = !isAll ? 'so far' : p < CLAIMED_BELOW ? 'CLAIMED' : 'no claim';
  console.log(
    `${name} with --profile over without: ${ratio} (${range.join(' to ')}), p = ${p.toFixed(3)}: ${claim}`,
  );
  if (isAll && p < CLAIMED_BELOW) process.exitCode = 1;
}
