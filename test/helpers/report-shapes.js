import * as v from 'valibot';
import {
  amount,
  count,
  list,
  name,
  overZero,
  positive,
  share,
  text,
  version,
  wrongIn,
} from '../../src/schema.js';
import {
  ANSWERS,
  BATCHING,
  CLIENT_COST,
  LATENCY,
  lineError,
  OPEN_LOOP_RUN,
  RUN_PART,
  SERVER_COST,
} from '../../src/store/shapes.js';

const CONTRAST = v.nullable(
  v.object({
    ratio: overZero,
    low: amount,
    high: overZero,
    p: share,
    pAdjusted: share,
    differs: v.boolean(),
  }),
);

const VERSION_FIGURE = v.strictObject({
  median: v.nullable(amount),
  toPrevious: CONTRAST,
  toNewest: CONTRAST,
});

const COMPARISON = v.object({
  group: text,
  tested: v.optional(
    v.strictObject({
      by: v.nullable(v.picklist(['starts'])),
      comparisons: count,
      starts: v.optional(positive),
      tellsApart: v.optional(v.nullable(amount)),
      reason: v.nullable(v.picklist(['one-cell', 'one-start', 'open-loop', 'not-compared'])),
    }),
  ),
  test: text,
  outcome: v.optional(list(text)),
  ranking: list(
    v.object({
      cell: text,
      opsPerSecond: amount,
      timesSlower: v.nullable(amount),
      verdict: v.nullable(v.picklist(['faster', 'slower', 'tied', 'not decided', 'not measured'])),
      againstFastest: CONTRAST,
      againstFirst: CONTRAST,
      ofCeiling: v.nullable(amount),
    }),
  ),
  versions: list(
    v.strictObject({
      axis: v.picklist(['release', 'node']),
      entries: list(v.objectWithRest({ cell: text, version }, VERSION_FIGURE)),
    }),
  ),
});

const INTERVAL = v.nullable(
  v.object({
    low: amount,
    high: amount,
    level: share,
  }),
);

const OPEN_LOOP_MORE = v.object({
  heldRuns: count,
  p99Us: v.optional(v.nullable(amount)),
});

const SUMMARY = v.object({
  runs: positive,
  failedRuns: count,
  averageMs: amount,
  spreadMs: amount,
  elapsedMs: v.optional(amount),
  tooShort: v.optional(v.boolean()),
  opsPerSecond: amount,
  opsPerSecondLow: amount,
  opsPerSecondHigh: amount,
  intervals: v.objectWithRest(
    { opsPerSecond: INTERVAL, averageMs: INTERVAL, p99Us: INTERVAL, cpuUsPerOp: INTERVAL },
    INTERVAL,
  ),
  variation: v.nullable(amount),
  latency: v.nullable(LATENCY),
  parts: v.optional(list(RUN_PART)),
  answers: v.nullable(ANSWERS),
  cacheHitRate: v.optional(v.nullable(amount)),
  batching: v.nullable(BATCHING),
  openLoop: v.nullable(v.intersect([OPEN_LOOP_RUN, OPEN_LOOP_MORE])),
  fault: v.optional(v.nullable(v.object({}))),
  cold: v.optional(v.object({})),
  client: CLIENT_COST,
  server: SERVER_COST,
  bottleneck: v.object({
    limit: v.nullable(v.picklist(['client', 'application', 'server', 'round-trips', 'processor'])),
    clientBusy: share,
    appBusy: v.optional(v.nullable(share)),
    serverBusy: v.nullable(share),
    serverThreads: v.optional(amount),
    clientCpu: v.optional(v.nullable(amount)),
    sharedCore: v.boolean(),
  }),
  waits: v.optional(
    v.nullable(
      v.strictObject({
        slices: positive,
        disturbed: count,
        repeats: count,
        waitedShare: amount,
        stolenShare: v.optional(v.nullable(amount)),
      }),
    ),
  ),
});

/** What reading computes again has no schema in src/: a file with a wrong summary is read all the same. */
const COMPUTED = v.object({
  comparisons: list(COMPARISON),
  findings: v.optional(
    list(
      v.object({
        kind: name,
        group: v.nullable(text),
        cells: list(text),
      }),
    ),
  ),
  choices: list(
    v.object({
      axis: text,
      client: v.nullable(text),
      groups: list(text),
      choose: text,
      where: v.string(),
      best: list(text),
      behind: list(
        v.object({
          value: text,
          low: v.nullable(amount),
          high: v.nullable(amount),
          shown: count,
          pairs: count,
        }),
      ),
      texts: v.object({
        best: text,
        behind: v.string(),
      }),
    }),
  ),
  assertions: list(
    v.object({
      text,
      strict: v.boolean(),
      outcome: v.picklist(['holds', 'failed', 'not decided']),
      figures: list(text),
    }),
  ),
  cells: list(
    v.object({
      connections: v.nullable(count),
      roundTripUs: v.optional(amount),
      serverProcess: v.optional(v.string()),
      summary: v.nullable(SUMMARY),
    }),
  ),
});

/** @param {any} report @returns {object[]} the lines that say the same */
const linesOf = (report) => [
  { ...report, type: 'header' },
  ...report.cells.flatMap((/** @type {any} */ cell) => [
    { ...cell, type: 'cell', cell: cell.id },
    ...cell.runs.map((/** @type {any} */ run) => ({ type: 'run', cell: cell.id, at: report.startedAt, run })),
  ]),
  ...(report.distances ?? []).map((/** @type {object} */ distance) => ({ ...distance, type: 'distance' })),
  { ...report, type: 'end' },
];

/** @param {unknown} report @returns {string[]} what is wrong with it */
export const schemaErrors = (report) =>
  [...linesOf(report).map(lineError), wrongIn(COMPUTED, report)].filter((wrong) => wrong !== null);
