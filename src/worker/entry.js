/** A cell's own process: answers one request of the parent at a time and ends with it. */
import { readdirSync, writeFileSync } from 'node:fs';
import { present } from '../collections.js';
import { ASKED_OF_WORKERS, loadCommand } from '../commands/all.js';
import { tryOr } from '../errors.js';
import { loadPlugin } from '../plugins/registry.js';
import { answerRequests, tellParent } from '../process/answer-requests.js';
import { removeLeftovers } from '../process/leftovers.js';

/** @import { Emitted, Job, OnStage, WorkerCell } from './types.js' */

/** The threads that Node starts before any client does. */
const NODES_THREADS = new Set(tryOr(() => readdirSync('/proc/self/task'), []));

/** What its command's part opened for the job. @type {WorkerCell | undefined} */
let cell;
/** Of its connections, even while they are being opened. @type {() => Emitted | null} */
let takeEmitted = () => null;
/** @type {string | undefined} */
let leftovers;

/** What few processes need is loaded when asked for. @type {Record<string, (params: any) => Promise<unknown>>} */
const methods = {
  async prepare(job) {
    // The next cell that it serves has the same client and may reach the same addresses.
    if (cell === undefined) await begin(job);
    else forgetPeakMemory();
    const { worker } = await loadCommand(job.command);
    const { open } = await present(worker)();
    cell = await (job.silence === undefined
      ? open(job, onStage, undefined, cell)
      : (await import('./silent.js')).openSilently(open, job, onStage));
    return prepared().prepare();
  },
  'make-anew': async () => prepared().makeAnew?.(),
  'before-run': async () => prepared().beforeRun?.(),
  run: (params) => prepared().run(params, tellParent),
  'after-run': async () => prepared().afterRun?.(),
  stop: async () => cell?.stop(),
  unanswered: async () => cell?.unanswered?.() ?? 0,
  emitted: async () => takeEmitted(),
  leave: async () => prepared().leave?.(),
  'missing-keys': async () => prepared().missingKeys?.(),
  finish: async () => prepared().finish?.(),
  async 'describe-code'(job) {
    await begin(job);
    return (await import('./client-code.js')).describeCode(job);
  },
  async 'prepare-ceiling'(params) {
    cell = (await import('./bare-socket.js')).openCeiling(params);
    await prepared().prepare();
  },
  'round-trips': async (params) => (await import('./bare-socket.js')).measureRoundTrips(params),
};
for (const [name, part] of Object.entries(ASKED_OF_WORKERS))
  methods[name] = async (params) => (await part()).answer(name, params, NODES_THREADS, cell);

/** Linux counts anew what getrusage reports; elsewhere it is the peak of all cells so far. */
const forgetPeakMemory = () => tryOr(() => writeFileSync('/proc/self/clear_refs', '5'), undefined);

/** @param {Job} job */
async function begin({ client, pluginFolders, confinement, meeting, target: { addressMap } }) {
  leftovers = (await loadPlugin('clients', client, pluginFolders)).tempFilePrefix?.(process.pid);
  if (confinement === undefined && addressMap === undefined) return;
  const { confine, leadElsewhere } = await import('./confine-network.js');
  if (confinement) await confine(confinement, [leftovers ?? [], meeting ?? []].flat());
  // Afterwards, so that the addresses to which it leads are confined too.
  if (addressMap) leadElsewhere(addressMap);
}

function prepared() {
  if (!cell) throw new Error('the cell was not prepared');
  return cell;
}

/** @type {OnStage} */
function onStage(stage, take = takeEmitted) {
  takeEmitted = take;
  tellParent({ stage });
}

/** They come while another request is running. */
const BESIDE = new Set(['stop', 'unanswered', 'emitted']);

/** The last request but those. @type {Promise<unknown>} */
let work = Promise.resolve();

/** Removing 200 keys takes milliseconds, longer on a busy machine; a server that hangs must not keep this process. */
const FLUSH_ON_EXIT_MS = 2000;

/** The parent is gone: removes the keys as long as the server replies. */
async function onOrphaned() {
  const end = () => {
    removeLeftovers(leftovers);
    process.kill(process.pid, 'SIGKILL');
  };
  const deadline = setTimeout(end, FLUSH_ON_EXIT_MS);
  await methods.stop(null);
  await work;
  await cell?.finish?.(() => void deadline.refresh()).catch(() => {});
  end();
}

answerRequests(methods, onOrphaned, (method, started) => {
  if (!BESIDE.has(method)) work = started.catch(() => {});
});
