import { latencyFixture } from './latency-fixture.js';
import { createFixture, goodRun } from './report-fixture.js';

/** 1000 operations, a few of them slow. */
const LATENCIES = Array.from({ length: 1000 }, (_, index) => 100 + index + (index > 990 ? 5000 : 0));

/** Eight cells with latencies: 3 runs each. */
export function drawnReport() {
  const latency = latencyFixture(LATENCIES);
  return createFixture({
    given: { clients: 'redis,ioredis', runs: 3 },
    measured: ({ tasks, client, scenario }) => ({
      iterations: 100,
      runs: [1, 2, 3].map((round) => ({
        ...goodRun(round, {
          tasks,
          iterations: 100,
          averageMs: (client === 'redis' ? 200 : 100) + scenario.length * 10 + round,
        }),
        latency,
      })),
    }),
  });
}

/** A name that tries to break out of the page. */
export const HOSTILE = [
  '<script>alert(1)</script>',
  '"><img src=x onerror=alert(1)>',
  "' onmouseover='alert(1)",
  '</title></style></svg><iframe src=//evil.example>',
  '<!-- --!> ]]>',
  '\u0000\u001b[31m&lt;b&gt; \u202e',
  'a'.repeat(300),
];

/**
 * The same report with this text wherever a user, a server or a package could put one.
 *
 * @param {string} text
 */
export async function hostileReport(text) {
  const report = structuredClone(await drawnReport());
  report.suite.title = text;
  report.failure = text;
  report.partial = true;
  for (const row of report.choices) row.texts = { best: text, behind: text };
  report.warnings.push(text);
  report.environment = { ...report.environment, cpuModel: text, os: text, packages: { [text]: text } };
  report.server = { ...report.server, software: text, version: text, mode: text, nodes: [text] };
  report.server.config = /** @type {any} */ ({ [text]: text });
  report.servers = [report.server];
  report.placements.push({ pin: 'off', serverCpus: null, workerCpus: null, note: null });
  for (const comparison of report.comparisons) {
    comparison.test = text;
  }
  for (const [index, cell] of report.cells.entries()) {
    if (index % 2 === 0) cell.variant = text;
    else cell.client = text;
    cell.scenario = text;
    cell.runs[0].warnings.push(text);
  }
  const last = report.cells[report.cells.length - 1];
  last.workload = text;
  last.skipped = { kind: 'scenario-conflict', own: [text] };
  report.cells[1].runs[0].failed = text;
  return report;
}
