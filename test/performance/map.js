/**
 * Is the default map decided in its five minutes, and do three in a row agree? Run by hand on a quiet machine, it takes
 * a quarter of an hour; with arguments it is that map instead, once for each of MAPS.
 *
 *     node test/performance/map.js [--budget 2m …]
 */
import { execFileSync } from 'node:child_process';
import { fileURLToPath } from 'node:url';

/** @import { MapFinding } from '../../src/analysis/types.js' */

const BIN = fileURLToPath(new URL('../../bin/redis-pipe-bench.js', import.meta.url));
const MAPS = Number(process.env.MAPS ?? 3);
/** Of 20 points. */
const AGREE_SHARE = 18 / 20;

/** @returns {{map: MapFinding, tookS: number}} */
function measure() {
  const startedAt = performance.now();
  const json = execFileSync(
    process.execPath,
    [BIN, 'map', '--no-save', '--quiet', '--format', 'json', ...process.argv.slice(2)],
    { encoding: 'utf8', maxBuffer: 1e9, stdio: ['ignore', 'pipe', 'inherit'] },
  );
  const { findings } = JSON.parse(json);
  const [map] = findings.filter((/** @type {{kind: string}} */ { kind }) => kind === 'map');
  return { map, tookS: (performance.now() - startedAt) / 1000 };
}

const maps = Array.from({ length: MAPS }, () => {
  const { map, tookS } = measure();
  const decided = map.points.filter(({ state }) => state === 'decided').length;
  console.log(`${tookS.toFixed(0)} s: ${decided} of ${map.points.length} points decided`);
  return map;
});

/**
 * Whether two maps say the same of a point: some choice is good in both.
 *
 * @param {string[]} winners
 * @param {string[]} others
 */
const agree = (winners, others) => winners.some((id) => others.includes(id));

const [first, ...rest] = maps;
const agreed = first.points.filter((point, place) =>
  rest.every((map) => agree(point.winners, map.points[place].winners)),
);
const same = first.points.filter((point, place) =>
  rest.every((map) => point.winners.toSorted().join() === map.points[place].winners.toSorted().join()),
);
console.log(
  `${agreed.length} of ${first.points.length} points have a common winner in all ${MAPS} maps, ${same.length} exactly the same ones`,
);
process.exitCode = agreed.length / first.points.length >= AGREE_SHARE ? 0 : 1;
