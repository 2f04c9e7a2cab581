import pLimit from 'p-limit';
import { clientKey, serverKey } from '../axes/client-and-server.js';
import { groupBy, present } from '../collections.js';
import { untilAborted, within } from '../process/wait.js';
import { prepareTimeout } from '../server/server-watch.js';
import { createJob } from './cell-worker.js';
import { startWorkers } from './workers.js';

/** @import { Server } from '../server/types.js' */
/** @import { ClientCode } from '../worker/types.js' */
/** @import { Cell } from './plan/types.js' */
/** @import { Prepared } from './prepare.js' */

/** Nothing is measured meanwhile. */
const LOOKING_AT_ONCE = 2;

/**
 * Finds what each module that is imported does to each client: a process with it is compared with one without it.
 * @param {Prepared} prepared @param {Server[]} servers @param {AbortSignal} signal @returns {Promise<Cell[]>}
 */
export async function findInstrumented({ cells, command, ...plan }, servers, signal) {
  /** @type {Map<string, Promise<ClientCode | null>>} */
  const looks = new Map();
  const limit = pLimit(LOOKING_AT_ONCE);

  /** @param {Cell} cell @returns {Promise<ClientCode | null>} null where it does not say */
  function look(cell) {
    const { runtime, imported } = cell;
    const key = JSON.stringify([clientKey(cell), runtime, imported, cell.transport, serverKey(cell)]);
    const found =
      looks.get(key) ?? limit(() => lookAt(cell, { processes: 1, runtime, imported }).catch(() => null));
    looks.set(key, found);
    return found;
  }

  /** @param {Cell} cell @param {Pick<Cell, 'processes' | 'runtime' | 'imported'>} process */
  async function lookAt(cell, process) {
    const server = present(servers.find(({ key }) => key === serverKey(cell)));
    const context = { ...plan, command: command.name, server, keyPrefix: '' };
    const job = createJob(cell, present(server.targets[cell.transport]), context);
    const worker = startWorkers(
      process,
      null,
      () => {},
      plan.catalogue.clients.get(cell.client)?.tempFilePrefix,
    );
    const limitMs = prepareTimeout(plan.settings.runTimeoutMs);
    return untilAborted(signal, within(limitMs, worker.call('describe-code', job))).finally(worker.kill);
  }

  return Promise.all(
    cells.map(async (cell) => {
      const { imported, ...without } = cell;
      // What is bundled is another client, which is made later.
      if (imported === undefined || cell.skipped !== null || cell.bundle === 'esbuild') return cell;
      const [before, after] = [await look(without), await look(cell)];
      if (before === null || after === null) return cell;
      return { ...cell, imported: { ...imported, instruments: changesOf(before, after) } };
    }),
  );
}

/** What is rewritten as a whole has hundreds. */
const MOST_NAMED = 8;

/** @param {ClientCode} before @param {ClientCode} after @returns {string[]} a name for each method, and each channel */
function changesOf(before, after) {
  const changed = Object.entries(before.methods).flatMap(([place, { label, code }]) =>
    (after.methods[place]?.code ?? code) === code ? [] : label,
  );
  // It may be that of several classes, and the client's own.
  const methods = groupBy(changed, (label) => label.split('.').at(-1)).map(([label]) => label);
  const channels = after.channels.filter((name) => !before.channels.includes(name));
  const names = [...new Set(channels.map((name) => name.replace(/^tracing:(.*):\w+$/, '$1'))), ...methods];
  return names.length <= MOST_NAMED
    ? names
    : [...names.slice(0, MOST_NAMED), `${names.length - MOST_NAMED} more`];
}
