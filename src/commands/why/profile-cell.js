import { accessSync, constants, statSync } from 'node:fs';
import { join } from 'node:path';
import { sum } from '../../descriptive-statistics.js';
import { messageOf, RunError, UsageError } from '../../errors.js';
import { allowedCpus, pinThreads } from '../../machine/processors.js';
import { count } from '../../numbers.js';
import { writeWholeSync } from '../../process/write-file.js';
import { workersOf } from '../../run/plan/loads.js';
import { lossOf, whileAnswering } from '../../server/server-watch.js';
import { makeFolder } from '../../store/result-store.js';

/** @import { Placement } from '../../machine/types.js' */
/** @import { Cell } from '../../run/plan/types.js' */
/** @import { CellProfile, CellRecord, Notice } from '../../store/types.js' */
/** @import { FoldedProfile, ProfileKind } from '../../worker/types.js' */
/** @import { RunContext } from '../../run/types.js' */
/** @import { Observer, WorkerProcess } from '../../run/types.js' */
/** @import { SelfTest } from './profiler.js' */

/** @typedef {{cell: Cell, worker: WorkerProcess, observe: Observer}} Profiled its worker is warm */

/** V8 samples every 0.3 ms: 1,700 samples in 0.5 s suffice for each function, 1,000 for a report's sentences. */
const PROFILE_MS = { all: 500, explained: 300 };
const SMOKE_MS = 50;
/**
 * Garbage collection before a profile makes V8 drop compiled code. Median of profiled over timed CPU per operation in
 * six cells: without this 1.13 and 1.55; with it 0.81, 1.04 and 1.09; without the collection 1.04.
 */
const WARM_AGAIN_MS = 400;
/** 200 turns of the known loop. */
const TEST_MS = 200;
/** Taking and folding a profile takes up to 0.5 s; a busy machine may need seconds. */
const ANSWERS_WITHIN_MS = 15_000;

/**
 * An error costs only the profile.
 * @param {Profiled} profiled @param {RunContext} context @returns {Promise<NonNullable<CellRecord['profiles']>>}
 * @throws {ServerError} if the server is lost, which ends all cells
 */
export async function profileCell(profiled, context) {
  const { settings, signal, server, onEvent } = context;
  const { cell, worker } = profiled;
  /** @type {NonNullable<CellRecord['profiles']>} */
  const profiles = {};
  const { kinds = [], cells = 'explained' } = settings.profile ?? {};
  try {
    for (const kind of kinds) {
      if (signal.aborted) break;
      onEvent({ type: 'profile', cell, kind });
      profiles[kind] = await takeProfile(profiled, context, PROFILE_MS[cells], kind);
    }
  } catch (error) {
    if (signal.aborted) return profiles;
    const lost = await lossOf(server);
    if (lost) throw lost;
    onEvent({ type: 'note', cell, fact: { kind: 'no-profile', why: messageOf(error) } });
    // It may hang in V8.
    await worker.kill();
  }
  return profiles;
}

/**
 * @param {Profiled} profiled @param {RunContext} context @param {number} durationMs @param {ProfileKind} kind
 * @returns {Promise<CellProfile>} @throws {RunError}
 */
async function takeProfile({ cell, worker, observe }, context, durationMs, kind) {
  const { server, settings, keepProfile } = context;
  const ask = (/** @type {string} */ method, /** @type {object} */ params) =>
    whileAnswering(server, worker.call(method, params), ANSWERS_WITHIN_MS);
  await ask('start-profile', { kind });
  const run = (/** @type {number} */ ms) => observe({ durationMs: settings.smoke ? SMOKE_MS : ms });
  const selfTest = async () => {
    await ask('test-profile', {});
    await run(TEST_MS);
    return ask('tested-profile', {});
  };
  if (kind === 'cpu') await placeSampler(worker.pid, context.placer.placementFor(cell.pin), selfTest);
  if (kind === 'cpu') await run(WARM_AGAIN_MS);
  await ask('begin-profile', {});
  const { measured } = await run(durationMs);
  const { startedAtMs, elapsedMs, taskIterations, client, processes, wrongReplies, errors } = measured;
  // The others do the same, or play another role.
  const [first] = processes ?? [];
  const cpuUs = first ? (first.cpuUtilization * first.operations * 1e6) / first.opsPerSecond : client.cpuUs;
  const when = { fromMs: startedAtMs, toMs: startedAtMs + elapsedMs, cpuUs };
  /** @type {{folded: FoldedProfile, samplerUs: number, whole: object | null}} */
  const taken = await ask('stop-profile', { ...when, whole: keepProfile !== undefined });
  const { folded, samplerUs, whole } = taken;
  const [failure] =
    wrongReplies > 0 ? [count(wrongReplies, 'wrong reply', 'wrong replies')] : Object.keys(errors);
  if (failure !== undefined) throw new RunError(`in the profiled run: ${failure}`);
  if (folded.samples === 0) throw new RunError('V8 took no samples');
  const samplersUs = samplerUs * cell.processes;
  if (whole !== null) keepProfile?.(cell, kind, whole);
  return {
    elapsedMs,
    operations: first?.operations ?? sum(taskIterations),
    cpuUsPerOp: Math.max(0, client.cpuUs - samplersUs) / sum(taskIterations),
    processes: workersOf(cell),
    ...folded,
  };
}

const SAMPLER = 'v8:ProfEvntProc';

/** Samples that find a known loop within a fifth of what it took need no other place. */
const CLOSE = 0.2;

/**
 * Where the samples find what is there depends on the machine. On the worker's only CPU the sampler may run only while the worker
 * waits: 17 of 40 µs of work were seen. On the server's CPU, if there is no third, it may wait for the server: 0.1 of 2.4 µs were
 * seen, and nearly all on the worker's. So a known loop decides, and where it finds as much the sampler stays.
 * @param {number | undefined} pid undefined on another machine @param {Placement} placement
 * @param {() => Promise<SelfTest>} selfTest ends with a new sampler, at its first place
 */
export async function placeSampler(pid, { workerCpus, serverCpus }, selfTest) {
  if (pid === undefined || workerCpus?.length !== 1) return;
  const others = (allowedCpus() ?? []).filter((cpu) => cpu !== workerCpus[0]);
  if (others.length === 0) return;
  const free = others.filter((cpu) => !serverCpus?.includes(cpu));
  // If the worker has ended, the run reports it.
  const move = () => pinThreads(pid, SAMPLER, free.length > 0 ? free : others).catch(() => {});
  const stayed = missedBy(await selfTest());
  if (stayed <= CLOSE) return;
  await move();
  if (missedBy(await selfTest()) < stayed) await move();
}

/** @param {SelfTest} test @returns {number} 0.1 for a tenth too much or too little; 0 if the loop did not run */
export const missedBy = ({ seenUs, tookUs }) => (tookUs > 0 ? Math.abs(seenUs / tookUs - 1) : 0);

/** Chrome DevTools and speedscope recognize these. @type {Record<ProfileKind, string>} */
const ENDINGS = { cpu: '.cpuprofile', heap: '.heapprofile' };
/** Most file systems allow 255 bytes. */
const LONGEST_NAME = 200;

/**
 * @param {string} folder created if missing @param {(fact: Notice) => void} onFailure
 * @returns {(cell: Pick<Cell, 'id'>, kind: ProfileKind, profile: object) => void} @throws {UsageError} if not writable
 */
export function createProfileFiles(folder, onFailure) {
  try {
    makeFolder(folder);
    if (!statSync(folder).isDirectory()) throw new Error('it is a file');
    accessSync(folder, constants.W_OK);
  } catch (error) {
    throw new UsageError(
      `--profile: expected cpu, heap or a folder that can be written, but '${folder}' cannot: ${messageOf(error)}`,
    );
  }
  /** @type {Map<string, string>} cell ids by file name */
  const taken = new Map();
  return ({ id }, kind, profile) => {
    const name = fileName(id, taken);
    try {
      writeWholeSync(join(folder, `${name}${ENDINGS[kind]}`), [JSON.stringify(profile)]);
    } catch (error) {
      onFailure({ kind: 'profile-not-kept', cell: id, why: messageOf(error) });
    }
  };
}

/** @param {string} id @param {Map<string, string>} taken */
function fileName(id, taken) {
  const safe = id.replaceAll(/[^\w.=@+-]+/g, '_').slice(0, LONGEST_NAME);
  let name = safe;
  for (let number = 2; (taken.get(name) ?? id) !== id; number++) name = `${safe}-${number}`;
  taken.set(name, id);
  return name;
}
