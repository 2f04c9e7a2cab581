/**
 * The floor against the fastest npm client: raw through the client contract, 64 tasks, one shared
 * connection. Run by hand: node test/performance/floor.js
 *
 * Target: at least 1.5 times the operations a second (issue 3).
 */
import { benchmark, renderReport } from '../../src/index.js';

const report = await benchmark({
  clients: 'raw,redis,redis:tuned,ioredis,ioredis:auto-pipelining',
  ...{ scenarios: 'shared-connection', tasks: 64, size: 10 },
});
console.log(await renderReport(report, 'table'));
const [fastest] = report.comparisons[0].ranking;
console.log(
  `raw does ${(1 / Number(fastest.ofCeiling)).toFixed(2)} times as much as the fastest client, ${fastest.cell}`,
);
