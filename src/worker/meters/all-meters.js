import { addUp } from '../../collections.js';
import { textOf } from '../../process/read-file.js';
import { watchGarbage } from './garbage.js';

/** @import { MergeRule } from '../../store/merge.js' */
/** @import { Work } from '../cell.js' */
/** @import { Connections } from '../connections.js' */
/** @import { Asked, ClientProbe, Delivery, RunCounts } from '../types.js' */

/**
 * Measures one thing in a worker during a run; what came before `begin` does not count. Other machines merge as other
 * processes do.
 * @template Value
 * @typedef {{watch(run: Metered): Watch<Value>, merge: Record<'slices' | 'processes', MergeRule>}} Meter
 */

/**
 * @template Value
 * @typedef {{begin?(): void, atTurn?(ms: number): void, atTurnEnd?(ms: number): void,
 *   take(operations: number): Value | Promise<Value>}} Watch `ms`: when the turn of the event loop began
 */

/**
 * What meters look at.
 * @typedef {Pick<Work, 'steps' | 'coding' | 'meter' | 'appWork'> & {
 *   cycle: Pick<Work['cycle'], 'position' | 'commandsIn' | 'stepsIn'>, delivery: Pick<Delivery, 'takeCalls'> | null,
 *   connections: Pick<Connections, 'opened' | 'answeredByCaches'>}} Metered
 */

/** @param {MergeRule} rule for slices and for processes @returns {Meter<unknown>['merge']} */
const always = (rule) => ({ slices: rule, processes: rule });

/** The names are those of RunCounts. @satisfies {Record<string, Meter<unknown>>} */
export const RUN_METERS = {
  calls: {
    watch({ steps, cycle, delivery }) {
      const counting = [...steps, delivery].flatMap((each) => each?.takeCalls ?? []);
      const { take } = takenBy(() => sumsOf(counting));
      const from = cycle.position();
      return { take: (operations) => addUp(cycle.commandsIn(from, operations), take()) };
    },
    merge: always('sums'),
  },
  answers: {
    watch({ steps }) {
      const counting = steps.flatMap(({ takeAnswers }) => takeAnswers ?? []);
      return takenBy(() => (counting.length === 0 ? null : sumsOf(counting)));
    },
    merge: always({ true: 'sum', false: 'sum' }),
  },
  lookups: {
    watch({ steps }) {
      const counting = steps.flatMap(({ takeLookups }) => takeLookups ?? []);
      return takenBy(() => (counting.length === 0 ? null : sumsOf(counting)));
    },
    merge: always({ hits: 'sum', misses: 'sum', backfills: 'sum', doubled: 'sum' }),
  },
  asked: {
    watch({ steps, cycle }) {
      const asked = askedIn(steps);
      const from = cycle.position();
      const takeNothing = () => asked.map(({ learning }) => learning.takeNothing());
      return {
        begin: () => void takeNothing(),
        /** @param {number} operations @returns {Asked[]} */
        take(operations) {
          const nothing = takeNothing();
          const sent = cycle.stepsIn?.(from, operations);
          return asked.map(({ step, name, learning }, place) => ({
            name,
            text: learning.args.join(' '),
            finds: learning.usesUp ? 'something left' : learning.finds,
            preparedBy: learning.preparedBy,
            sent: sent?.get(step) ?? 0,
            filled: Number(learning.isFilled()),
            nothing: nothing[place],
          }));
        },
      };
    },
    merge: always([
      {
        ...{ name: 'first', text: 'first', finds: 'first', preparedBy: 'first' },
        ...{ sent: 'sum', filled: 'sum', nothing: 'sum' },
      },
    ]),
  },
  connectionsOpened: {
    watch: ({ connections }) => increaseOf(connections.opened),
    merge: always('sum'),
  },
  answeredByCaches: {
    watch: ({ connections }) => increaseOf(connections.answeredByCaches),
    merge: always('sumOfKnown'),
  },
  batches: {
    watch: ({ meter }) => takenBy(meter.take),
    merge: always({ batches: 'sum', commands: 'sum', heldMs: 'sum', waitedMs: 'sum' }),
  },
};

/** The names are those of ClientProbe; the first is closest to the run: it begins last and is taken first. @satisfies {Record<string, Meter<unknown>>} */
export const PROCESS_METERS = {
  cpuUs: {
    watch: () => increaseOf(cpuUs),
    merge: always('sum'),
  },
  contextSwitches: {
    watch: () => ({ take: increaseOf(contextSwitches).take }),
    merge: always('sumOfAll'),
  },
  eventLoopUtilization: {
    watch() {
      let from = performance.eventLoopUtilization();
      return {
        begin() {
          from = performance.eventLoopUtilization();
        },
        take: () => performance.eventLoopUtilization(from).utilization,
      };
    },
    // The busiest process is the first to reach its limit.
    merge: { slices: 'weighted', processes: 'max' },
  },
  appWorkUs: {
    watch: ({ appWork }) => ({ take: () => appWork?.take() ?? 0 }),
    merge: always('sum'),
  },
  encodeUs: {
    watch: ({ coding }) => ({ begin: () => void coding.takeUs(), take: () => coding.takeUs() }),
    merge: always('sum'),
  },
  loop: {
    watch: () => createLoopWatch(),
    merge: always({ watchedMs: 'sum', busyUs: 'sums' }),
  },
  garbage: {
    watch: () => watchGarbage(),
    merge: {
      slices: { gcPauseMs: 'sum', gcLongestMs: 'max', allocatedBytes: 'scaled' },
      processes: { gcPauseMs: 'max', gcLongestMs: 'max', allocatedBytes: 'sumOfAll' },
    },
  },
  peakRssBytes: {
    // It is in KiB, and since the process started.
    watch: () => ({ take: () => process.resourceUsage().maxRSS * 1024 }),
    merge: { slices: 'max', processes: 'sum' },
  },
};

/** What takes time comes before `begin`: processes that start together may share a processor. @param {Metered} run */
export function startMeters(run) {
  const ofRun = watchAll(RUN_METERS, run);
  const ofProcess = watchAll(PROCESS_METERS, run);
  return {
    atTurn: ofProcess.garbage.atTurn,
    atTurnEnd: ofProcess.loop.atTurnEnd,

    begin() {
      for (const { begin } of Object.values(ofProcess).reverse()) begin?.();
    },

    /** @param {number} operations @returns {Promise<RunCounts & {client: ClientProbe}>} */
    take: async (operations) => ({
      ...(await takeAll(ofRun, operations)),
      client: await takeAll(ofProcess, operations),
    }),
  };
}

/** @template Counts @typedef {{[Name in keyof Counts]: Watch<Counts[Name]>}} Watches */

/**
 * @template {object} Counts
 * @param {{[Name in keyof Counts]: Meter<Counts[Name]>}} meters
 * @param {Metered} run
 */
function watchAll(meters, run) {
  const watches = /** @type {Watches<Counts>} */ ({});
  for (const name in meters) watches[name] = meters[name].watch(run);
  return watches;
}

/**
 * @template {object} Counts
 * @param {Watches<Counts>} watches
 * @param {number} operations
 */
async function takeAll(watches, operations) {
  const taken = /** @type {Counts} */ ({});
  for (const name in watches) taken[name] = await watches[name].take(operations);
  return taken;
}

/** @template T @param {() => T} take what was counted since the last call; what came before the run is dropped */
function takenBy(take) {
  take();
  return { take };
}

/** @param {Work['steps']} steps @returns the commands of the user among them, those with the same words named by their shares */
function askedIn(steps) {
  const asked = steps.flatMap((step) =>
    (step.parts ?? [step]).flatMap(({ learning }) => (learning ? [{ step, learning }] : [])),
  );
  const texts = asked.map(({ learning }) => learning.args.join(' '));
  return asked.map((each, place) => {
    const text = texts[place];
    const isElsewhere = asked.some((other, at) => other.step !== each.step && texts[at] === text);
    const { label = text } = each.step;
    return { ...each, name: isElsewhere && label !== text ? `${label}: ${text}` : text };
  });
}

/**
 * @template {number | null} T @param {() => T} read a counter that only grows; null where there is none
 * @returns {{begin(): void, take(): T}}
 */
function increaseOf(read) {
  let before = read();
  return {
    begin() {
      before = read();
    },
    take() {
      const now = read();
      return /** @type {T} */ (now === null ? null : now - (before ?? 0));
    },
  };
}

/** @returns {number | null} */
function contextSwitches() {
  const status = textOf('/proc/self/status');
  const counts = [...status.matchAll(/^(?:non)?voluntary_ctxt_switches:\s*(\d+)/gm)];
  return counts.length < 2 ? null : Number(counts[0][1]) + Number(counts[1][1]);
}

/** @template {string} Name @param {(() => Record<Name, number>)[]} counting */
const sumsOf = (counting) => addUp(...counting.map((take) => take()));

/** Often enough for a p99 of a short run; two readings of 0.2 µs a millisecond cost nothing measurable. */
const LOOK_EVERY_MS = 1;

/**
 * Watches how long the event loop is busy at a stretch, in which other requests and timers of the process have to wait.
 *
 * monitorEventLoopDelay has a timer, for which the kernel sets an alarm in each turn (see garbage.js). So single turns are
 * measured, from end to end, less what libuv spent waiting for events. libuv counts the turns in which nothing was
 * answered. The time after the first answer belongs to the last turn, the rest is divided among all.
 */
export function createLoopWatch() {
  /** @type {ClientProbe['loop']} */
  const probe = { watchedMs: 0, busyUs: {} };
  /** @type {{at: number, idleMs: number, turns: number} | null} */
  let from = null;
  let nextLookMs = 0;

  /** @param {number} busyMs @param {number} turns */
  function count(busyMs, turns) {
    // Two significant digits keep the number of entries small.
    const us = Number(Math.max(0, busyMs * 1000).toPrecision(2));
    probe.busyUs[us] = (probe.busyUs[us] ?? 0) + turns;
  }

  return {
    /** @param {number} ms when the clock was read in the turn that ends now, by performance.now() */
    atTurnEnd(ms) {
      if (from === null) {
        if (ms >= nextLookMs) from = look();
        return;
      }
      const now = look();
      const turns = Math.max(1, now.turns - from.turns);
      const elapsedMs = now.at - from.at;
      const busyMs = elapsedMs - (now.idleMs - from.idleMs);
      const answeringMs = Math.min(busyMs, now.at - ms);
      const restMs = (busyMs - answeringMs) / turns;
      count(answeringMs + restMs, 1);
      if (turns > 1) count(restMs, turns - 1);
      probe.watchedMs += elapsedMs;
      nextLookMs = now.at + LOOK_EVERY_MS;
      from = null;
    },

    take: () => probe,
  };
}

function look() {
  const at = performance.now();
  /** @type {typeof performance.nodeTiming & {uvMetricsInfo?: {loopCount: number}}} */
  const timing = performance.nodeTiming;
  // Some Nodes that workers run on count no turns.
  return { at, idleMs: timing.idleTime, turns: timing.uvMetricsInfo?.loopCount ?? 0 };
}

/** @returns {number} of all threads */
function cpuUs() {
  const { user, system } = process.cpuUsage();
  return user + system;
}
