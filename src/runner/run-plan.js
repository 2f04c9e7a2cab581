import { randomInt } from 'node:crypto';
import { messageOf } from '../errors.js';
import { allowedCpus, cpuOfServer, hasTaskset, pinProcess } from './cpus.js';
import { placeProcesses } from './placement.js';
import { runGroup } from './run-group.js';

/**
 * Runs all groups of a plan on a server, one after the other.
 *
 * @param {import('../types.js').Plan} plan
 * @param {Omit<import('../types.js').RunContext, 'placement' | 'keyPrefix'>} context
 * @returns {Promise<import('../types.js').PlanOutcome>} with whatever was measured, also when the server was lost
 */
export async function runPlan(plan, context) {
  const { server, settings, signal, onEvent } = context;
  const placement = await place(server, settings.pin);
  const keyPrefix = createKeyPrefix();
  /** @type {import('../types.js').MeasuredCell[]} */
  const cells = [];
  let lost = null;
  let keysRemoved = true;
  for (const [index, group] of plan.groups.entries()) {
    if (signal.aborted || lost) break;
    onEvent({ type: 'group', index, cells: group });
    const outcome = await runGroup(group, { ...context, placement, keyPrefix });
    cells.push(...outcome.cells);
    lost = outcome.lost;
    keysRemoved &&= outcome.keysRemoved;
  }
  const warnings = keysRemoved ? [] : await sweep(server, keyPrefix);
  return { cells, lost, placement, warnings };
}

/**
 * @param {import('../types.js').Server} server
 * @param {'apart' | 'same' | 'off'} pin
 */
async function place(server, pin) {
  const placement = placeProcesses({
    pin,
    allowed: await allowedCpus(),
    canPin: await hasTaskset(),
    serverKind: server.kind,
    serverCpu: server.isLocal ? await cpuOfServer(server.pid) : null,
  });
  if (placement.serverCpus && server.pid !== null) await pinProcess(server.pid, placement.serverCpus);
  return placement;
}

/** @returns {string} `rpb:` and four characters that no other invocation is likely to have drawn */
const createKeyPrefix = () =>
  `rpb:${randomInt(36 ** 4)
    .toString(36)
    .padStart(4, '0')}`;

/**
 * Removes the keys of a worker that died. A managed server takes them with it.
 *
 * @param {import('../types.js').Server} server
 * @param {string} keyPrefix
 * @returns {Promise<string[]>} a warning where they had to stay
 */
async function sweep(server, keyPrefix) {
  if (server.kind === 'managed') return [];
  try {
    await server.control.removeKeys(keyPrefix);
    return [];
  } catch (error) {
    return [`keys that start with '${keyPrefix}' may be left on the server: ${messageOf(error)}`];
  }
}
