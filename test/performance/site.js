/**
 * How long `site` takes for a folder of many results of 12 cells, and how large its largest page is. The figures are invented.
 * Run by hand: node test/performance/site.js [results] [folder to keep the pages in]
 *
 * Target: 500 results in 10 s, each page under 300 kB (issue 32), by the CPU time where the machine is busy.
 */
import { spawnSync } from 'node:child_process';
import { mkdtempSync, readdirSync, rmSync, statSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { createLines, goodRun } from '../helpers/report-fixture.js';

const BIN = fileURLToPath(new URL('../../bin/redis-pipe-bench.js', import.meta.url));
const CLIENTS = ['redis', 'ioredis'];

const results = Number(process.argv[2] ?? 500);
const folder = mkdtempSync(join(tmpdir(), 'rpb-site-'));
const output = process.argv[3] ?? join(folder, 'site');
try {
  for (let index = 0; index < results; index++)
    writeFileSync(join(folder, `${index}.ndjson`), await resultOf(index));
  const startedAt = performance.now();
  const { status, stderr } = spawnSync(process.execPath, [BIN, 'site', folder, '--output', output], {
    encoding: 'utf8',
  });
  if (status !== 0) throw new Error(stderr);
  const seconds = ((performance.now() - startedAt) / 1000).toFixed(1);
  const sizes = readdirSync(output).map((name) => statSync(join(output, name)).size);
  console.log(
    `${results} results of 12 cells: ${seconds} s, ${sizes.length} pages, the largest ${Math.max(...sizes)} bytes`,
  );
} finally {
  rmSync(folder, { recursive: true });
}

/** @param {number} index of the result @returns {Promise<string>} the text of its file */
async function resultOf(index) {
  const version = `5.${index}.0`;
  const releases = new Map(
    CLIENTS.map((name) => [
      `${name}@${version}`,
      { package: name, version, path: null, entry: 'file:///x.js', commit: null },
    ]),
  );
  const lines = await createLines({
    given: {
      clients: [...releases.keys()].join(),
      scenarios: 'shared-connection',
      runs: 3,
      tasks: [1, 2, 4, 8, 16, 64],
    },
    sources: { releases },
    measured: ({ tasks, client }) => ({
      iterations: 100,
      runs: [1, 2, 3].map((round) => {
        const averageMs =
          (client === 'redis' && index > results / 2 ? 1400 : 1000) *
          (1 + ((index * 7 + round * 3) % 10) / 100);
        const run = goodRun(round, { tasks, iterations: 100, averageMs });
        return { ...run, client: { .../** @type {any} */ (run.client), cpuUsPerOp: averageMs / 100 } };
      }),
    }),
  });
  const startedAt = new Date(Date.UTC(2026, 0, 1) + index * 3_600_000).toISOString();
  return [{ ...lines[0], startedAt }, ...lines.slice(1)].map((line) => `${JSON.stringify(line)}\n`).join('');
}
