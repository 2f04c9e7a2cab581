import { conditionsOf, createCellNamer } from '../axes/cell-names.js';
import { present } from '../collections.js';
import { isLong } from '../commands/benchmark/report/tables/drift-grid.js';
import { count, duration, whole } from '../numbers.js';
import { createColors } from '../report/colors.js';
import { factText } from '../report/fact-words.js';
import { latencyText } from '../store/metrics.js';
import { interruptNote } from './interrupt.js';
import { createLiveTable } from './live-table.js';
import { createLastLines } from './terminal.js';

/** @import { BenchmarkEvent } from '../commands/benchmark/types.js' */
/** @import { Settings } from '../options/types.js' */
/** @import { Cell, Plan } from '../run/plan/types.js' */
/** @import { ServerFacts } from '../server/types.js' */
/** @import { Second } from '../worker/types.js' */
/** @import { Printer } from './types.js' */

/** @typedef {Extract<BenchmarkEvent, {type: 'plan'}>} PlanEvent */
/** @typedef {(cell: Cell) => string} NameOf */
/** @typedef {ReturnType<typeof createLastLines>} LastLines */

/** A table that grows, and a bar, on a terminal; lines elsewhere. @param {{stderr: Printer, quiet: boolean, nowMs?: () => number}} options */
export function createProgress({ stderr, quiet, nowMs = () => performance.now() }) {
  if (quiet) return { onEvent() {}, interrupted() {}, end() {} };
  const line = createLastLines(stderr);
  let nameOf = createCellNamer([]);
  /** @type {((event: BenchmarkEvent) => void)[]} */
  let followers = [];
  return {
    /** @param {BenchmarkEvent} event */
    onEvent(event) {
      if (event.type === 'plan') {
        nameOf = createCellNamer(event.plan.cells);
        line.say(announce(event.plan, event.settings, event.servers));
        for (const text of lateText(event.plan)) line.say(text);
        const timeLeft = createTimeLeft(event.plan, line.say);
        followers = [
          timeLeft.onEvent,
          ...(isLong(event.settings) ? [tellRuns(nameOf, line.say)] : []),
          line.redraws
            ? drawTable(event, timeLeft, nameOf, { line, printer: stderr, nowMs })
            : tellRounds(event, nameOf, line.say),
        ];
      }
      const text = noteOf(event, nameOf);
      if (text !== null) line.say(text);
      for (const follow of followers) follow(event);
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
    `${runsText(settings, isAtMost)}) on ${[...new Set(servers.map(serverText))].join(' and ')}, ${time}`
  );
}

/** What there is no time for, before anything is measured. @param {Plan} plan @returns {string[]} */
function lateText({ cells }) {
  const late = cells.filter(({ skipped }) => skipped?.kind === 'no-time');
  const [first] = late.flatMap(({ skipped }) => skipped ?? []);
  return first === undefined
    ? []
    : [`warning: the last ${count(late.length, 'cell')} will not be measured: ${factText(first)}`];
}

/** @param {ServerFacts} server */
const serverText = ({ kind, software, version, name }) =>
  `${kind === 'managed' ? 'a' : 'the'} ${kind} ${[software, version].filter(Boolean).join(' ')}` +
  `${name === undefined || name === `${software} ${version}`.toLowerCase() ? '' : ` (${name})`}`;

/** @param {Settings} settings @param {boolean} isAtMost */
function runsText({ runs, races, rateSearch }, isAtMost) {
  if (rateSearch !== undefined) return `a search from ${rateSearch.map(whole).join(' to ')}/s`;
  if (races) return `${count(runs, 'run')}, more near the best`;
  return `${isAtMost ? 'up to ' : ''}${count(runs, 'run')}`;
}

/** So many seconds of an open loop get a line each, and then one in so many. */
const EACH = 10;

/** @param {BenchmarkEvent} event @param {NameOf} nameOf @returns {string | null} */
function noteOf(event, nameOf) {
  switch (event.type) {
    case 'install':
      return `installing ${event.release} into ${event.folder}, once`;
    case 'second':
      return event.second.second <= EACH || event.second.second % EACH === 0
        ? secondText(event.second)
        : null;
    case 'step':
      return stepText(event, nameOf);
    case 'stall':
      return `warning: ${nameOf(event.cell)}: no reply for ${(event.stalledMs / 1000).toFixed(0)} s${event.doing ? ` while ${event.doing}; waiting for the server` : '; waiting'} (--run-timeout ends that)`;
    case 'note':
      return event.cell === null ? event.message : `${nameOf(event.cell)}: ${event.message}`;
    case 'failure':
      return `failed: ${nameOf(event.cell)}: ${event.message}`;
    default:
      return null;
  }
}

/** @param {Extract<BenchmarkEvent, {type: 'step'}>} event @param {NameOf} nameOf */
function stepText({ cell, held, runs }, nameOf) {
  const latencies = runs.map(({ latency }) => latencyText('p99Us', latency) || 'of too few operations');
  const openLoop = present(cell.openLoop);
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

/** @param {PlanEvent} event @param {NameOf} nameOf @param {(text: string) => void} say @returns {(event: BenchmarkEvent) => void} */
function tellRounds({ plan, settings: { runs, races } }, nameOf, say) {
  const groups = plan.groups.length;
  const rounds = races ? '' : ` of ${runs}`;
  let group = 0;
  return (event) => {
    if (event.type === 'group') group = event.index + 1;
    if (event.type === 'start' && races && event.start > 1)
      say(`${count(event.cells.length, 'cell')} near the best: start ${event.start}${moreText(event)}`);
    if (event.type === 'breakdown') say(`breakdown of ${nameOf(event.cell)}`);
    if (event.type !== 'round-end') return;
    say(`${groups > 1 ? `group ${group} of ${groups}, ` : ''}round ${event.round}${rounds} done`);
  };
}

/** What decides takes several starts. @param {{more?: number}} start */
const moreText = ({ more }) =>
  more === undefined ? '' : `, with time for ${more === 0 ? 'no' : `about ${more}`} more`;

/**
 * When was it slow, and what grows? @param {NameOf} nameOf @param {(text: string) => void} say
 * @returns {(event: BenchmarkEvent) => void}
 */
function tellRuns(nameOf, say) {
  return (event) => {
    if (event.type !== 'run-end' || event.run.failed !== null) return;
    const { latency, client } = event.run;
    const figures = [
      ...(latency === null ? [] : [`p99 ${duration(latency.p99Us)}`]),
      ...(client === null ? [] : [`${whole(client.peakRssBytes / 1e6)} MB`]),
    ];
    say(`${timeOfDay(new Date())} ${nameOf(event.cell)}, run ${event.round}: ${figures.join(', ')}`);
  };
}

/** @param {Date} date @returns {string} such as `14:03:59` */
const timeOfDay = (date) =>
  [date.getHours(), date.getMinutes(), date.getSeconds()].map((part) => `${part}`.padStart(2, '0')).join(':');

const BAR_WIDTH = 20;

/** Between two drawings. */
const LEAST_MS = 250;
/** A small terminal still shows earlier lines. */
const EARLIER_LINES = 3;

/**
 * Redraws on events between runs, because a timer would take CPU from the cells.
 * @param {PlanEvent} event @param {ReturnType<typeof createTimeLeft>} timeLeft @param {NameOf} nameOf
 * @param {{line: LastLines, printer: Printer, nowMs: () => number}} terminal @returns {(event: BenchmarkEvent) => void}
 */
function drawTable({ plan: { cells, groups } }, timeLeft, nameOf, { line, printer, nowMs }) {
  const colors = createColors(printer.color);
  /** By group: a start may come back to it. @type {Map<number, ReturnType<typeof createLiveTable>>} */
  const tables = new Map();
  let table = createLiveTable([], '');
  let doing = 'starting';
  let drawnMs = Number.NEGATIVE_INFINITY;
  return (event) => {
    if (event.type === 'group') {
      const heading = `${event.index + 1} of ${groups.length}: ${conditionsOf(event.cells[0], cells)}`;
      table = tables.get(event.index) ?? createLiveTable(event.cells, groups.length > 1 ? heading : '');
      tables.set(event.index, table);
    }
    table.onEvent(event);
    if (event.type === 'start') doing = `start ${event.start} of ${count(event.cells.length, 'cell')}`;
    if (event.type === 'started') doing = `started ${nameOf(event.cell)}`;
    if (event.type === 'run')
      doing = `${event.round === 0 ? 'warm-up' : `run ${event.round}`} of ${nameOf(event.cell)}`;
    if (event.type === 'profile') doing = `profile of ${nameOf(event.cell)}`;
    if (event.type === 'breakdown') doing = `breakdown of ${nameOf(event.cell)}`;
    if (nowMs() - drawnMs < LEAST_MS) return;
    drawnMs = nowMs();
    const { columns = 80, rows = 24 } = printer;
    const part = timeLeft.part();
    const filled = Math.floor(part * BAR_WIDTH);
    const bar = '█'.repeat(filled) + '░'.repeat(BAR_WIDTH - filled);
    line.show(
      table.lines({ width: columns - 1, colors }, rows - 1 - EARLIER_LINES),
      `${bar} ${Math.floor(part * 100)} % ${timeLeft.text()}${doing}`,
    );
  };
}

/** An estimate that is farther off is corrected. */
const NEWS = 1.2;

/** What was announced, corrected by what the benchmark tells. @param {Plan} plan @param {(text: string) => void} say */
function createTimeLeft({ groups, isAtMost, estimateMs }, say) {
  const startedMs = performance.now();
  const elapsedMs = () => performance.now() - startedMs;
  let wholeMs = estimateMs;
  let group = 0;
  let groupStartedMs = 0;
  return {
    /** @param {BenchmarkEvent} event */
    onEvent(event) {
      if (event.type === 'group') [group, groupStartedMs] = [event.index, elapsedMs()];
      if (event.type !== 'time-left') return;
      // Other groups take as long as this one.
      const untilMs = elapsedMs() + event.leftMs;
      const foundMs = untilMs + (groups.length - 1 - group) * (untilMs - groupStartedMs);
      const isNews = wholeMs === null || foundMs > NEWS * wholeMs || (!isAtMost && foundMs < wholeMs / NEWS);
      wholeMs = foundMs;
      if (isNews) say(`it takes about ${inWords(foundMs)}`);
    },

    /** @returns {number} the part that is done, from 0 to 1 */
    part: () => (wholeMs === null ? 0 : Math.min(1, elapsedMs() / wholeMs)),

    /** @returns {string} such as `12 s left, `; empty if unknown */
    text: () => (wholeMs === null ? '' : `${inWords(Math.max(0, wholeMs - elapsedMs()))} left, `),
  };
}

/** Minutes would be too rough for a few of them. @param {number} milliseconds @returns {string} such as `150 s` or `4 min` */
function inWords(milliseconds) {
  const seconds = Math.max(1, Math.round(milliseconds / 1000));
  return seconds < 180 ? `${seconds} s` : `${Math.round(seconds / 60)} min`;
}
