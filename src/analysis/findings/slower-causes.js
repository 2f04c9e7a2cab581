import { sameBut } from '../../axes/ids.js';
import { NOTABLE } from './carried-differences.js';
import { codeDifference } from './code-difference.js';

/**
 * @import { CellResult, Run } from '../../results/types.js'
 * @import { Cause } from '../types.js'
 * @import { Carried } from './carried-differences.js'
 * @import { CellContrasts, MeasuredCell } from './compare-group.js'
 */

/**
 * @param {MeasuredCell} cell
 * @param {MeasuredCell} than
 * @param {Pick<CellContrasts, 'compared' | 'between'>} contrasts
 * @returns {(Cause & {kind: 'placement'}) | null} how much faster the same cell is in the other's place
 */
export function placementCause(cell, than, { compared, between }) {
  if (cell.pin === than.pin) return null;
  const rest = sameBut(['pin'], compared);
  const twin = compared.find((other) => other.pin === than.pin && rest(other) === rest(cell));
  const contrast = twin === undefined ? null : between(twin.id, cell.id);
  if (!contrast?.differs || contrast.ratio < NOTABLE) return null;
  return { kind: 'placement', pin: than.pin, insteadOf: cell.pin, ratio: contrast.ratio };
}

/**
 * Who comes at any time waits for half of a blocking read on average: a quarter cannot be anything else's doing.
 *
 * @param {Pick<CellResult, 'beside' | 'summary'>} cell
 * @returns {{company: string, p50Us: number} | null} null where half of its operations do not wait for what blocks the connection
 */
export function behindBlocking({ beside = [], summary }) {
  const blocking = beside.find(({ command }) => command === 'blpop');
  const p50Us = summary?.latency?.p50Us ?? 0;
  if (blocking === undefined || p50Us < (Number(blocking.ms) * 1000) / 4) return null;
  return { company: blocking.name, p50Us };
}

/**
 * @param {MeasuredCell} cell
 * @param {MeasuredCell} than
 * @returns {(Cause & {kind: 'behind-company'}) | null} null where the other waits for it as well
 */
export function behindCompany(cell, than) {
  const behind = behindBlocking(cell);
  const againstP50Us = than.summary.latency?.p50Us ?? 0;
  if (behind === null || againstP50Us <= 0 || behindBlocking({ ...than, beside: cell.beside })) return null;
  return { kind: 'behind-company', ...behind, againstP50Us };
}

/** A client that answers this much more of its commands itself is another case. */
const MORE_CACHED = 0.1;

/**
 * @param {MeasuredCell} cell
 * @param {MeasuredCell} than
 * @returns {(Cause & {kind: 'not-cached'}) | null} null where the other's cache answers no more
 */
export function cacheCause({ summary }, { summary: other }) {
  const [hitRate, againstHitRate] = [summary.cacheHitRate ?? 0, other.cacheHitRate ?? 0];
  return againstHitRate - hitRate < MORE_CACHED ? null : { kind: 'not-cached', hitRate, againstHitRate };
}

/** @param {MeasuredCell} cell */
export const openedBy = ({ summary: { server } }) => (server.connections ?? 0) / (server.commands ?? 1);

/** @param {MeasuredCell} cell @param {MeasuredCell} than @param {Carried} carried @returns {Cause[]} */
export function batchingCause(cell, than, { batching }) {
  const commandsPerRead = cell.summary.server.commandsPerRead;
  const againstCommandsPerRead = than.summary.server.commandsPerRead;
  if (
    !batching ||
    batching.ratio > 1 / NOTABLE ||
    commandsPerRead === null ||
    againstCommandsPerRead === null
  )
    return [];
  return [{ kind: 'smaller-batches', commandsPerRead, againstCommandsPerRead }];
}

/** @param {MeasuredCell} cell @param {MeasuredCell} than @param {Carried} carried */
export function cpuCauses(cell, than, { clientCpu, serverCpu, serverThreads }) {
  const [{ summary }, { summary: other }] = [cell, than];
  /** @type {(Cause & {kind: 'client-cpu' | 'server-cpu' | 'server-threads'})[]} */
  const causes = [];
  if (clientCpu && clientCpu.ratio >= NOTABLE) {
    causes.push({
      kind: 'client-cpu',
      ratio: clientCpu.ratio,
      cpuUsPerOp: Number(summary.client.cpuUsPerOp),
      againstCpuUsPerOp: Number(other.client.cpuUsPerOp),
      code: codeDifference(cell, than) ?? undefined,
    });
  }
  const hasThreads = summary.bottleneck.serverThreads !== undefined;
  if (serverThreads && serverThreads.ratio >= NOTABLE && hasThreads) {
    const against = Number(other.server.allThreadsCpuUsPerCommand);
    causes.push({
      kind: 'server-threads',
      ratio: serverThreads.ratio,
      cpuUsPerCommand: Number(summary.server.allThreadsCpuUsPerCommand),
      againstCpuUsPerCommand: against,
    });
  } else if (serverCpu && serverCpu.ratio >= NOTABLE) {
    causes.push({
      kind: 'server-cpu',
      ratio: serverCpu.ratio,
      cpuUsPerCommand: Number(summary.server.cpuUsPerCommand),
      againstCpuUsPerCommand: Number(other.server.cpuUsPerCommand),
      mainThread: hasThreads || other.bottleneck.serverThreads !== undefined || undefined,
      code: codeDifference(cell, than, 'server') ?? undefined,
    });
  }
  return causes;
}

/** @param {Run[]} runs */
export function garbageShareOf(runs) {
  const good = runs.filter((run) => run.client !== null && run.elapsedMs);
  const pauses = good.reduce((sum, run) => sum + Number(run.client?.gcPauseMs), 0);
  return pauses / good.reduce((sum, run) => sum + Number(run.elapsedMs), 0);
}
