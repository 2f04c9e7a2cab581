import { median } from 'simple-statistics';
import { namesBeside } from '../axes/cell-names.js';
import { count } from '../core/numbers.js';
import { duration, times, whole } from '../core/report/figures.js';
import { createLastLines } from './last-lines.js';

/** @import { BenchmarkEvent } from '../benchmark/types.js' */
/** @import { Settings } from '../options/types.js' */
/** @import { Cell, OpenLoopPlan, Plan } from '../core/plan/types.js' */
/** @import { ServerFacts } from '../core/server/types.js' */
/** @import { Second } from '../core/worker/types.js' */
/** @import { Output } from './types.js' */
/** @import { Run } from '../core/store/types.js' */

/** A bar on a terminal, lines elsewhere. @param {{stderr: Output, env: NodeJS.ProcessEnv, quiet: boolean}} options */
export function createProgress({ stderr, env, quiet }) {
  if (quiet) return { onEvent() {}, interrupted() {}, end() {} };
  const line = createLastLines(stderr, env);
  let nameOf = namesBeside([]);
  let runs = 1;
  /** @type {ReturnType<typeof createTimeLeft> | undefined} */
  let timeLeft;
  /** @type {(event: BenchmarkEvent) => void} */
  let follow = () => {};
  return {
    /** @param {BenchmarkEvent} event */
    onEvent(event) {
      if (event.type === 'plan') {
        nameOf = namesBeside(event.plan.cells);
        runs = event.settings.runs;
        line.say(announce(event.plan, event.settings, event.servers));
        timeLeft = createTimeLeft(event.plan);
        follow = line.redraws ? drawBar(timeLeft, nameOf, line.show) : tellRounds(event, line.say);
      }
      const wholeMs = timeLeft?.onEvent(event) ?? null;
      if (wholeMs !== null) line.say(`it takes about ${inWords(wholeMs)}`);
      const text = noteOf(event, nameOf, runs);
      if (text !== null) line.say(text);
      follow(event);
    },
    /** @param {string} signal */
    interrupted: (signal) => line.say(interruptNote(signal)),
    end: line.clear,
  };
}

/** @param {Plan} plan @param {Settings} settings @param {ServerFacts[]} servers */
function announce({ cells, groups, isAtMost, estimateMs }, settings, servers) {
  const runnable = groups.flat().length;
  const skipped = cells.length - runnable;
  const time =
    estimateMs === null
      ? 'how long it takes is known after the warm-up'
      : `${isAtMost ? 'at most ' : ''}about ${inWords(estimateMs)}`;
  return (
    `${count(runnable, 'cell')}${skipped ? ` (${skipped} skipped)` : ''} × (${settings.warmupRuns ? 'warm-up + ' : ''}` +
    `${runsText(settings)}) on ${[...new Set(servers.map(serverText))].join(' and ')}, ${time}`
  );
}

/** @param {ServerFacts} server */
const serverText = ({ kind, software, version, name }) =>
  `${kind === 'managed' ? 'a' : 'the'} ${kind} ${[software, version].filter(Boolean).join(' ')}` +
  `${name === undefined || name === `${software} ${version}`.toLowerCase() ? '' : ` (${name})`}`;

/** @param {Settings} settings */
function runsText({ runs, races, untilStable, maxRuns, rateSearch }) {
  if (rateSearch !== undefined) return `a search from ${rateSearch.map(whole).join(' to ')}/s`;
  if (races) return `${count(runs, 'run')}, more for what is near the best`;
  return untilStable === undefined
    ? count(runs, 'run')
    : `${runs} to ${maxRuns} runs, until each is within ${untilStable} %`;
}

/** @typedef {(cell: Cell) => string} NameOf */

/** @param {BenchmarkEvent} event @param {NameOf} nameOf @param {number} runs @returns {string | null} */
function noteOf(event, nameOf, runs) {
  switch (event.type) {
    case 'install':
      return `installing ${event.release} into ${event.folder}, once`;
    case 'second':
      return runs > MOST_BY_SECOND ? null : secondText(event.second);
    case 'run-end':
      return runs > MOST_BY_SECOND && event.run.openLoop ? runText(event, nameOf, runs) : null;
    case 'step':
      return stepText(event, nameOf);
    case 'stall':
      return stallText(event, nameOf);
    case 'note':
      return event.cell === null ? event.message : `${nameOf(event.cell)}: ${event.message}`;
    case 'failure':
      return `failed: ${nameOf(event.cell)}: ${event.message}`;
    default:
      return null;
  }
}

/** An open loop with more runs gets a line per run, not per second. */
const MOST_BY_SECOND = 20;

/** @param {Extract<BenchmarkEvent, {type: 'run-end'}>} event @param {NameOf} nameOf @param {number} runs */
const runText = ({ cell, round, run: { operations, latency, client } }, nameOf, runs) =>
  [
    `${nameOf(cell)}, run ${round} of ${runs}: ${whole(operations)} operations`,
    ...(latency ? [`p99 ${duration(latency.p99Us)}`] : []),
    ...(client?.peakRssBytes ? [`${whole(client.peakRssBytes / 1e6)} MB`] : []),
  ].join(', ');

/** @param {Extract<BenchmarkEvent, {type: 'step'}>} event @param {NameOf} nameOf */
function stepText({ cell, held, runs }, nameOf) {
  const latencies = runs.map(({ latency }) => `${((latency?.p99Us ?? 0) / 1000).toFixed(1)} ms`);
  const openLoop = /** @type {OpenLoopPlan} */ (cell.openLoop);
  // A search goes by the name of the planned cell, which has no rate.
  const [first] = openLoop.search ?? [openLoop.ratePerSecond];
  const subject = nameOf({ ...cell, openLoop: { ...openLoop, ratePerSecond: first } });
  return `${subject}, ${whole(openLoop.ratePerSecond)}/s: ${held ? 'sustained' : 'not sustained'}, p99 ${latencies.join(', ')}`;
}

/** @param {Second} second of an open loop, whose operations count from the start */
const secondText = ({ second, intended, sent, acknowledged, dropped, inFlight, latenessMs, rssBytes }) =>
  [
    `${second} s: ${whole(intended)} intended, ${whole(sent)} sent, ${whole(acknowledged)} acknowledged`,
    ...(dropped > 0 ? [`${whole(dropped)} dropped`] : []),
    `${whole(inFlight)} in flight, ${latenessMs.toFixed(1)} ms late, ${whole(rssBytes / 1e6)} MB`,
  ].join(', ');

/** @param {{cell: Cell, stalledMs: number}} event @param {NameOf} nameOf */
const stallText = ({ cell, stalledMs }, nameOf) =>
  `warning: ${nameOf(cell)}: no reply for ${(stalledMs / 1000).toFixed(0)} s; waiting for the server (--run-timeout ends that)`;

/** @typedef {Extract<BenchmarkEvent, {type: 'plan'}>} PlanEvent */

/** @param {PlanEvent} event @param {(text: string) => void} say @returns {(event: BenchmarkEvent) => void} */
function tellRounds({ plan, settings: { runs, races, untilStable, maxRuns } }, say) {
  const groups = plan.groups.length;
  const rounds = races ? '' : untilStable === undefined ? ` of ${runs}` : ` of at most ${maxRuns}`;
  let group = 0;
  return (event) => {
    if (event.type === 'group') group = event.index + 1;
    if (event.type === 'start' && races && event.start > 1)
      say(`${count(event.cells.length, 'cell')} near the best: start ${event.start}`);
    if (event.type !== 'round-end') return;
    say(`${groups > 1 ? `group ${group} of ${groups}, ` : ''}round ${event.round}${rounds} done`);
  };
}

/** @param {string} signal */
export const interruptNote = (signal) => `${signal}: stopping; once more to stop at once`;

const BAR_WIDTH = 20;

/**
 * Redraws on events between runs, because a timer would take CPU from the cells.
 * @param {ReturnType<typeof createTimeLeft>} timeLeft @param {NameOf} nameOf @param {(lines: string[]) => void} show
 * @returns {(event: BenchmarkEvent) => void}
 */
function drawBar(timeLeft, nameOf, show) {
  const ranking = createRankingSoFar(nameOf);
  let doing = 'starting';
  return (event) => {
    if (event.type === 'group') ranking.begin(event.cells);
    if (event.type === 'start') doing = `start ${event.start} of ${count(event.cells.length, 'cell')}`;
    if (event.type === 'started') doing = `started ${nameOf(event.cell)}`;
    if (event.type === 'warmed') ranking.warmed(event.cell, event.perMs);
    if (event.type === 'run') {
      doing = `${event.round === 0 ? 'warm-up' : `run ${event.round}`} of ${nameOf(event.cell)}`;
    }
    if (event.type === 'profile') doing = `profile of ${nameOf(event.cell)}`;
    if (event.type === 'run-end') ranking.ran(event.cell, event.run);
    const part = timeLeft.part();
    const filled = Math.floor(part * BAR_WIDTH);
    const bar = '█'.repeat(filled) + '░'.repeat(BAR_WIDTH - filled);
    show([...ranking.lines(), `${bar} ${Math.floor(part * 100)} % ${timeLeft.text()}${doing}`]);
  };
}

/** A small terminal still shows earlier lines. */
const MOST_LINES = 5;

/** @param {number} ratio */
const slower = (ratio) => (ratio < 1.05 ? 'about as fast' : `${times(ratio)} slower`);

/** Ranks the current cells, the fastest first, without significance tests. @param {(cell: Cell) => string} nameOf */
function createRankingSoFar(nameOf) {
  /** @type {Map<string, {cell: Cell, warm: number | null, rates: number[]}>} */
  let figures = new Map();
  return {
    /** @param {Cell[]} cells of the same rounds */
    begin(cells) {
      const ranked = cells.filter(({ floor, openLoop, fault }) => !floor && !openLoop && !fault);
      const isOneGroup = ranked.every(({ group }) => group === ranked[0].group);
      figures = new Map((isOneGroup ? ranked : []).map((cell) => [cell.id, { cell, warm: null, rates: [] }]));
    },

    /** @param {Cell} cell @param {number} perMs iterations of a task in the warm-up */
    warmed({ id, tasks }, perMs) {
      const own = figures.get(id);
      if (own) own.warm = perMs * tasks * 1000;
    },

    /** @param {Cell} cell @param {Run} run */
    ran({ id }, { failed, opsPerSecond }) {
      if (failed !== null || opsPerSecond === null) figures.delete(id);
      else figures.get(id)?.rates.push(opsPerSecond);
    },

    /** @returns {string[]} empty until two cells are warm, or with nothing to compare */
    lines() {
      const cells = [...figures.values()];
      const known = cells.flatMap(({ cell, warm, rates }) =>
        rates.length > 0 ? { cell, rate: median(rates) } : warm ? { cell, rate: warm } : [],
      );
      if (known.length < 2) return [];
      const fewest = Math.min(...cells.map(({ rates }) => rates.length));
      const [best, ...others] = known.sort((a, b) => b.rate - a.rate);
      const more = others.length - MOST_LINES + 1;
      return [
        fewest > 0
          ? `after ${count(fewest, 'run')} of each cell:`
          : `after the warm-up of ${known.length} of ${count(cells.length, 'cell')}:`,
        `  ${nameOf(best.cell)}: ${whole(best.rate)}/s`,
        ...others
          .slice(0, MOST_LINES - 1)
          .map(({ cell, rate }) => `  ${nameOf(cell)}: ${slower(best.rate / rate)}`),
        ...(more > 0 ? [`  … and ${more} more`] : []),
      ];
    },
  };
}

/** What was announced, corrected by what the benchmark tells. @param {Plan} plan */
function createTimeLeft({ groups, isAtMost, estimateMs }) {
  const startedMs = performance.now();
  const elapsedMs = () => performance.now() - startedMs;
  let wholeMs = estimateMs;
  let group = 0;
  let groupStartedMs = 0;
  return {
    /** @param {BenchmarkEvent} event @returns {number | null} how long all takes, if that is news */
    onEvent(event) {
      if (event.type === 'group') [group, groupStartedMs] = [event.index, elapsedMs()];
      if (event.type !== 'time-left') return null;
      // Other groups take as long as this one.
      const untilMs = elapsedMs() + event.leftMs;
      const foundMs = untilMs + (groups.length - 1 - group) * (untilMs - groupStartedMs);
      const before = wholeMs;
      wholeMs = foundMs;
      if (before === null || foundMs > NEWS * before) return foundMs;
      return !isAtMost && foundMs < before / NEWS ? foundMs : null;
    },

    /** @returns {number} the part that is done, from 0 to 1 */
    part: () => (wholeMs === null ? 0 : Math.min(1, elapsedMs() / wholeMs)),

    /** @returns {string} such as `12 s left, `; empty if unknown */
    text: () => (wholeMs === null ? '' : `${inWords(Math.max(0, wholeMs - elapsedMs()))} left, `),
  };
}

/** An estimate that is farther off is corrected. */
const NEWS = 1.2;

/** Minutes would be too rough for a few of them. @param {number} milliseconds @returns {string} such as `150 s` or `4 min` */
function inWords(milliseconds) {
  const seconds = Math.max(1, Math.round(milliseconds / 1000));
  return seconds < 180 ? `${seconds} s` : `${Math.round(seconds / 60)} min`;
}
