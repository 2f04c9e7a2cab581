import { readFileSync } from 'node:fs';
import suites from '../../src/plugins/suites.js';
import { createFixture, goodRun } from './report-fixture.js';

/** Exactly what the Node Redis Pipelining Test printed in 2019. */
export const SEED_000 = readFileSync(new URL('./seed-000.txt', import.meta.url), 'utf8');

/** A report with the figures of that text. */
export function seed000Report() {
  const figures = readFigures(SEED_000);
  return createFixture({
    given: { clients: 'redis' },
    packages: { redis: '2.8.0' },
    suite: suites.find(({ id }) => id === 'pipelining-test'),
    measured: ({ valueSize, tasks, scenario }) => {
      const cell = figures.get(`${valueSize} ${tasks} ${scenario}`);
      if (!cell) throw new Error(`the seed has no ${valueSize} ${tasks} ${scenario}`);
      const { iterations, runs } = cell;
      return {
        iterations,
        runs: runs.map((run, index) => goodRun(index + 1, { tasks, iterations, ...run })),
      };
    },
  });
}

/**
 * @param {string} text
 * @returns {Map<string, {iterations: number, runs: {averageMs: number, spreadMs: number}[]}>}
 */
function readFigures(text) {
  const figures = new Map();
  let size = '';
  let iterations = 0;
  let tasks = '';
  for (const line of text.split('\n')) {
    const heading = /^(\d+)-char K\/V, \((\d+) iterations\)$/.exec(line);
    if (heading) [size, iterations] = [heading[1], Number(heading[2])];
    tasks = /^ {2}(\d+) tasks$/.exec(line)?.[1] ?? tasks;
    const result = /^ {4}(.*), ([a-z ]+)$/.exec(line);
    if (!result) continue;
    const runs = [...result[1].matchAll(/(\d+) \((\d+)\)/g)].map(([, averageMs, spreadMs]) => ({
      averageMs: Number(averageMs),
      spreadMs: Number(spreadMs),
    }));
    figures.set(`${size} ${tasks} ${result[2].replaceAll(' ', '-')}`, { iterations, runs });
  }
  return figures;
}
