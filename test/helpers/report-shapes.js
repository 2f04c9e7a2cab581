import { createChecks } from '../../src/contract/check.js';
import { SHAPES, storedShapes } from '../../src/store/shapes.js';

/** @param {any} shape of a line @returns {any} of what a report has of it */
const untyped = ({ type: _, cell: __, ...shape }) => shape;

/** What reading computes again has no type in src/: a file with a wrong summary is read all the same. */
const COMPUTED = {
  StoredReport: {
    ...untyped(SHAPES.ResultHeader),
    ...untyped(SHAPES.ResultEnd),
    cells: [{ ...SHAPES.Cell, ...untyped(SHAPES.CellRecord), runs: ['Run'] }],
    'distances?': [untyped(SHAPES.DistanceRecord)],
  },
  ComputedReport: {
    comparisons: ['Comparison'],
    'findings?': [{ kind: 'name', group: 'text?', cells: ['text'] }],
    choices: [
      {
        ...{
          axis: 'text',
          client: 'text?',
          groups: ['text'],
          choose: 'text',
          where: 'string',
          best: ['text'],
        },
        behind: [{ value: 'text', low: 'amount?', high: 'amount?', shown: 'count', pairs: 'count' }],
        texts: { best: 'text', behind: 'string' },
      },
    ],
    assertions: [
      { text: 'text', strict: 'flag', outcome: "'holds'|'failed'|'not decided'", figures: ['text'] },
    ],
    cells: [
      {
        connections: 'count?',
        'roundTripUs?': 'amount',
        'serverProcess?': 'string',
        summary: 'Summary?',
      },
    ],
  },
  Summary: {
    runs: 'positive',
    failedRuns: 'count',
    ...{ averageMs: 'amount', spreadMs: 'amount', 'elapsedMs?': 'amount', 'tooShort?': 'flag' },
    ...{ opsPerSecond: 'amount', opsPerSecondLow: 'amount', opsPerSecondHigh: 'amount' },
    intervals: {
      ...{ opsPerSecond: 'Interval', averageMs: 'Interval', p99Us: 'Interval', cpuUsPerOp: 'Interval' },
      '*': 'Interval',
    },
    variation: 'amount?',
    latency: 'Latency?',
    'parts?': ['RunPart'],
    answers: 'Answers?',
    'cacheHitRate?': 'amount?',
    batching: 'Batching?',
    openLoop: 'OpenLoopRun&OpenLoopMore?',
    'fault?': { '?': {} },
    'cold?': {},
    client: 'ClientCost',
    server: 'ServerCost',
    bottleneck: {
      limit: "'client'|'application'|'server'|'round-trips'|'processor'?",
      clientBusy: 'share',
      'appBusy?': 'share?',
      serverBusy: 'share?',
      'serverThreads?': 'amount',
      'clientCpu?': 'amount?',
      sharedCore: 'flag',
    },
    'waits?': {
      '?': {
        ...{ slices: 'positive', disturbed: 'count', repeats: 'count', waitedShare: 'amount' },
        'stolenShare?': 'amount?',
        '*': 'never',
      },
    },
  },
  OpenLoopMore: { heldRuns: 'count', 'p99Us?': 'amount?' },
  Interval: { '?': { low: 'amount', high: 'amount', level: 'share' } },
  Contrast: {
    '?': {
      ...{ ratio: 'overZero', low: 'amount', high: 'overZero' },
      ...{ p: 'share', pAdjusted: 'share', differs: 'flag' },
    },
  },
  Comparison: {
    group: 'text',
    'tested?': {
      by: "'starts'|'mann-whitney'|'welch'|'paired'?",
      comparisons: 'count',
      'starts?': 'positive',
      'tellsApart?': 'amount?',
      reason: "'one-cell'|'too-few-runs'|'open-loop'?",
      '*': 'never',
    },
    test: 'text',
    'outcome?': ['text'],
    ranking: [
      {
        cell: 'text',
        opsPerSecond: 'amount',
        timesSlower: 'amount?',
        verdict: "'faster'|'slower'|'tied'|'not decided'|'not measured'?",
        againstFastest: 'Contrast',
        againstFirst: 'Contrast',
        ofCeiling: 'amount?',
      },
    ],
    versions: [
      {
        axis: "'release'|'node'",
        entries: [{ cell: 'text', version: 'version', '*': 'VersionFigure' }],
        '*': 'never',
      },
    ],
  },
  VersionFigure: { median: 'amount?', toPrevious: 'Contrast', toNewest: 'Contrast', '*': 'never' },
};

const check = createChecks(() => ({ ...storedShapes(), ...COMPUTED }))('StoredReport&ComputedReport');

/** @param {unknown} report @returns {string[]} what is wrong with it */
export function schemaErrors(report) {
  const wrong = check(report);
  return wrong === null ? [] : [wrong];
}
