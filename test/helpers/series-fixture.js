import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { createLines, goodRun } from './report-fixture.js';

/** @import { Cell, Sources } from '../../src/run/plan/types.js' */
/** @import { ResultHeader } from '../../src/store/types.js' */

/**
 * @typedef {object} Saved a result with invented figures
 * @property {number} day of 2026, from 1: when it was measured
 * @property {(client: string) => number} [cpu] µs per operation
 * @property {Record<string, string>} [packages] that were installed
 * @property {string} [clients] @property {Sources} [sources]
 * @property {(header: ResultHeader) => void} [change] changes its header
 */

/** @param {Saved} saved @returns {Promise<string>} the text of its file */
export async function savedText({ day, cpu = () => 10, change = () => {}, ...facts }) {
  const { packages = { redis: '6.3.1', ioredis: '6.0.0' }, clients = 'redis', sources } = facts;
  const lines = await createLines({
    given: { clients, scenarios: 'shared-connection', runs: 3, tasks: 8 },
    packages,
    sources,
    measured: ({ tasks, client }) => ({
      iterations: 100,
      runs: [1, 2, 3].map((round) => {
        const run = goodRun(round, { tasks, iterations: 100, averageMs: 1000 });
        return { ...run, client: { .../** @type {any} */ (run.client), cpuUsPerOp: cpu(client) } };
      }),
    }),
  });
  const header = /** @type {ResultHeader} */ (structuredClone(lines[0]));
  header.startedAt = new Date(Date.UTC(2026, 0, day)).toISOString();
  change(header);
  return [header, ...lines.slice(1)].map((line) => `${JSON.stringify(line)}\n`).join('');
}

/** @param {Saved['change']} [change] of all headers @returns {Record<string, Saved>} ioredis takes more CPU from the sixth on */
export const changedFiles = (change) =>
  Object.fromEntries(
    Array.from({ length: 12 }, (_, at) => [
      `${at}.ndjson`,
      {
        day: at + 1,
        clients: 'redis,ioredis',
        cpu: (/** @type {string} */ client) => (client === 'ioredis' && at >= 5 ? 30 : 10) + (at % 3) / 10,
        change,
      },
    ]),
  );

/**
 * @template T @param {Record<string, Saved | string>} files what each holds @param {(folder: string) => Promise<T>} use of the
 *   folder, which is removed afterwards
 */
export async function withFolder(files, use) {
  const folder = mkdtempSync(join(tmpdir(), 'rpb-series-'));
  try {
    for (const [name, saved] of Object.entries(files))
      writeFileSync(join(folder, name), typeof saved === 'string' ? saved : await savedText(saved));
    return await use(folder);
  } finally {
    rmSync(folder, { recursive: true });
  }
}

/** @param {number} count @returns {Promise<Cell[]>} of redis, for series */
export async function trendCells(count) {
  const tasks = Array.from({ length: count }, (_, index) => index + 1);
  const [header] = await createLines({
    given: { clients: 'redis', scenarios: 'shared-connection', runs: 3, tasks },
    measured: () => null,
  });
  return /** @type {ResultHeader} */ (header).cells;
}
