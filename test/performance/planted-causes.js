/**
 * Is the cause named that is the cause? ioredis against itself with a cost that is known: a busy loop, a timer of 1 ms, a second
 * round trip, a reply ten times as long, 20 kB of garbage. Run by hand: node test/performance/planted-causes.js [repeats]
 *
 * Target: in 9 of 10 runs of each the planted one is named first, or none.
 */
import { fileURLToPath } from 'node:url';
import { benchmark } from '../../src/commands/benchmark/benchmark.js';
import { causeText } from '../../src/commands/benchmark/findings/slower.js';
import { namedFirst, PLANTED } from '../helpers/plugins/clients/planted.js';

const pluginFolders = { clients: [fileURLToPath(new URL('../helpers/plugins/clients', import.meta.url))] };
/** Starts enough that a difference can be claimed on a busy machine too. */
const MEASURING = { scenarios: 'shared-connection', runs: 8, starts: 4 };
const repeats = Number(process.argv[2] ?? 10);

for (const planted of Object.keys(PLANTED)) {
  const counts = { planted: 0, none: 0, 'not slower': 0, other: 0 };
  for (let repeat = 1; repeat <= repeats; repeat++) {
    const report = await benchmark(
      { clients: `planted,planted:${planted}`, ...MEASURING },
      { pluginFolders },
    );
    const outcome = namedFirst(report, planted);
    counts[outcome]++;
    const [slower] = report.findings.flatMap((finding) => (finding.kind === 'slower' ? finding : []));
    const texts =
      slower?.causes.map((cause) => `${causeText(cause)} (${cause.explainsUs.toFixed(1)} µs)`) ?? [];
    const cpu = report.cells.map(({ summary }) => summary?.client.cpuUsPerOp?.toFixed(1)).join(' and ');
    const waited = report.cells.map(({ summary }) => Math.round(100 * (summary?.waits?.waitedShare ?? 0)));
    console.log(
      `${planted} ${repeat}: ${[outcome, ...texts].join('; ')}; ${slower?.timesSlower.toFixed(2) ?? '-'}x, ${cpu} µs of CPU, waited ${waited.join(' and ')} %`,
    );
  }
  console.log(`${planted}: ${JSON.stringify(counts)} of ${repeats}`);
}
