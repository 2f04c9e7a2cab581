import { randomBytes } from 'node:crypto';
import os from 'node:os';
import { setImmediate } from 'node:timers/promises';
import { InterruptedError, messageOf, RunError, ServerError, UsageError } from '../core/errors.js';
import { describeTool } from '../core/machine/environment.js';
import { createCalls } from '../core/process/answering.js';
import { isTimeout, untilAborted, within } from '../core/process/wait.js';
import { labelOf } from '../core/server/target.js';
import { differences, machineId } from './agent-facts.js';
import { createClock } from './clock-offset.js';
import {
  agentQueue,
  agentsAmong,
  commanderLease,
  createEvents,
  createQueue,
  holdLease,
  LEASE_MS,
  leaseOf,
  watchLease,
} from './control-redis.js';
import { signed, verifiedAnswer } from './job-signature.js';
import { checkShape, withinOf } from './methods.js';
import { placeOf } from './permissions.js';
import { createRemoteWorkers } from './remote-workers.js';

/** @import { Settings } from '../options/types.js' */
/** @import { Server } from '../core/server/types.js' */
/** @import { ControlRedis } from './control-redis.js' */
/** @import { Fleet, Hello, Owner, Refusing, Typed, Offer } from './types.js' */

const ENDS_WITHIN_MS = 2000;

/** @returns {string} a new one each time: the queues' events still hold answers to earlier calls */
export const createCallerName = () =>
  `${os.hostname()}-${process.pid}-${randomBytes(3).toString('hex')}`.replace(/[^\w.-]/g, '-');

/** Asks every agent that has a queue who it is. @param {ControlRedis} control @param {string} caller */
export async function greet(control, caller) {
  /** @type {AgentLink[]} */
  const links = [];
  /** @type {Hello[]} */
  const hellos = [];
  /** @type {string[]} */
  const silent = [];
  /** @type {Refusing[]} */
  const refusing = [];
  const names = agentsAmong(await control.queueNames());
  const all = await Promise.all(names.map((name) => openAgentLink(control, name, caller)));
  const answers = await Promise.all(all.map((link) => link.hello().catch(messageOf)));
  for (const [index, answer] of answers.entries()) {
    const { name, close } = all[index];
    if (answer !== null && typeof answer === 'object') {
      links.push(all[index]);
      hellos.push(answer);
      continue;
    }
    if (answer === null) silent.push(name);
    else refusing.push({ name, why: answer });
    await close();
  }
  return { links, hellos, silent, refusing };
}

/** Whether it is an agent with another token. @param {Refusing} refusing */
export const isAgent = ({ why }) => why.includes('--queue-token');

/**
 * Uses every agent that waits at a control Redis.
 * @param {ControlRedis} control @param {Owner} [owner] who started them here @param {AbortSignal} [signal]
 * @throws {ServerError} where there is none, or one is busy
 * @throws {UsageError} where one has another version or another token @throws {InterruptedError}
 */
export async function gatherFleet(control, owner, signal = new AbortController().signal) {
  /** @type {(() => Promise<unknown>)[]} in reverse */
  const endings = [async () => control.close()];
  const close = async () => {
    // A lost control Redis answers none of them; the last one ends all connections.
    for (const end of endings.splice(0).reverse()) await within(ENDS_WITHIN_MS, end()).catch(() => {});
  };
  try {
    return await untilAborted(signal, assemble(control, owner, endings, close));
  } catch (error) {
    await close();
    if (signal.aborted) throw new InterruptedError('interrupted before the agents had begun');
    throw error;
  }
}

/**
 * @param {ControlRedis} control @param {Owner | undefined} owner @param {(() => Promise<unknown>)[]} endings
 * @param {() => Promise<void>} close @returns {Promise<Fleet>}
 */
async function assemble(control, owner, endings, close) {
  const commander = createCallerName();
  const { links, hellos, ...others } = await greet(control, commander);
  endings.push(() => Promise.all(links.map((link) => link.close())));
  refuseSome(control, hellos, others);
  const lease = randomBytes(16).toString('hex');
  const endLease = await holdLease(control, commanderLease(commander), lease, (why) => {
    for (const link of links) link.lose(new RunError(why));
  });
  endings.splice(1, 0, async () => endLease?.());
  const offer = { tool: describeTool().version, commander, lease };
  await Promise.all(links.map((link, index) => link.begin(offer, hellos[index]))).catch((error) => {
    throw new ServerError(error.message);
  });
  const clock = await createClock(control.time);
  const agents = hellos.map(({ worksFor: _, aheadMs: _a, nonce: _n, lease: _l, ...facts }) => facts);
  const areLocal = agents.every(({ machine }) => machine === machineId());
  return {
    agents,
    isPrivate: control.isPrivate,
    notes: [
      ...differences(agents),
      ...others.silent.map((agent) => ({ kind: /** @type {const} */ ('agent-silent'), agent })),
      ...others.refusing.map(({ why }) => ({ kind: /** @type {const} */ ('agent-refuses'), why })),
    ],
    lose: (name, reason) => links.find((link) => link.name === name)?.lose(reason),
    startWorkers: createRemoteWorkers({ links, clock, areLocal, owner }),
    settingsFor: (settings) => settingsOn(agents, areLocal, settings),
    async plan(servers, typed) {
      refuseServers(control, servers, areLocal);
      await plan(links, owner, servers, typed);
    },
    close,
  };
}

/** @param {Fleet['agents']} agents @param {boolean} areLocal @param {Settings} settings @throws {UsageError} */
function settingsOn(agents, areLocal, settings) {
  const { machines = [agents.length], rtt, pin, nodeBin, clients } = settings;
  if (Math.max(...machines) > agents.length) {
    throw new UsageError(
      `--machines: expected at most ${agents.length}, as many agents as there are (${agents.map(({ name }) => name).join(', ')}), got '${machines.join()}'`,
    );
  }
  const released = clients.find((client) => client.includes('@'));
  const onlyHere = [
    rtt.some((each) => each !== 0) &&
      '--rtt: the relay stands on this machine, and what agents send from others does not pass it; leave --rtt out (agents have a distance of their own)',
    pin.includes('same') &&
      '--pin same: the workers of agents run on other machines than the server; leave it out',
    nodeBin !== undefined &&
      '--node-bin names files of this machine; start the agents with the Node that is to be measured',
    released !== undefined &&
      `--clients ${released}: releases are installed on this machine only; install the release where the agents run, and name the client without it`,
  ].find(Boolean);
  if (onlyHere && !areLocal) throw new UsageError(onlyHere);
  return { ...settings, machines };
}

/**
 * @param {ControlRedis} control @param {Hello[]} hellos @param {{silent: string[], refusing: Refusing[]}} others
 * @throws {UsageError | ServerError} why they cannot be used
 */
function refuseSome({ label, token }, hellos, { silent, refusing }) {
  const { version } = describeTool();
  const old = hellos.filter(({ tool }) => tool !== version).map(({ name, tool }) => `${name} with ${tool}`);
  if (old.length > 0)
    throw new UsageError(
      `--agents: expected agents of version ${version}, as this one is, found ${old.join(', ')}; install the same version there`,
    );
  const ofOtherToken = refusing.find(isAgent);
  if (ofOtherToken !== undefined) throw new UsageError(`--queue-token: ${ofOtherToken.why}`);
  const open = hellos.filter(({ nonce }) => token !== null && !nonce).map(({ name }) => name);
  if (open.length > 0)
    throw new UsageError(
      `--queue-token: expected agents that were started with it, but ${open.join(', ')} took none and would run any job; ` +
        'start the agents with the same token, or leave it out here',
    );
  const why = [...silent.map((name) => `${name} does not reply`), ...refusing.map((each) => each.why)];
  if (hellos.length === 0)
    throw new ServerError(
      `expected agents that wait for jobs at ${label}, found ${why.length === 0 ? 'none' : `none that can be used (${why.join('; ')})`}; ` +
        `start one on each load machine: redis-pipe-bench agent --queue redis://${label} --allow redis://TARGET`,
    );
  const busy = hellos.filter(({ worksFor }) => worksFor !== null);
  if (busy.length > 0)
    throw new ServerError(
      `--agents: expected idle agents, but ${busy.map(({ name, worksFor }) => `${name} works for ${worksFor}`).join(', ')}; ` +
        'try again when that benchmark is over',
    );
}

/** The target must not be the control Redis. @param {ControlRedis} control @param {Server[]} servers @param {boolean} areLocal */
function refuseServers({ label, runId }, servers, areLocal) {
  for (const { runIds, targets, isLocal } of servers) {
    const labels = Object.values(targets).map(labelOf);
    if (runIds === null ? labels.includes(label) : runIds.includes(`${runId}`))
      throw new UsageError(
        `--agents: ${label} is both the control Redis and the measured server, so commands of the control would be ` +
          'counted; use another Redis for one of them',
      );
    if (isLocal && !areLocal)
      throw new UsageError(
        `--agents: ${labels[0]} is on this machine only, and agents on other machines cannot reach it; name the ` +
          'server by an address that they know (--url)',
      );
  }
}

/**
 * Every agent must be able, and allowed, to do it. @param {AgentLink[]} links @param {Owner | undefined} owner
 * @param {Server[]} servers @param {Omit<Typed, 'targets'>} typed @throws {UsageError}
 */
async function plan(links, owner, servers, typed) {
  const targets = servers.flatMap((server) => Object.values(server.targets));
  for (const target of targets) await owner?.name(target);
  const asked = { ...typed, targets: targets.map(placeOf) };
  const answers = await Promise.all(links.map((link) => link.call('plan', asked))).catch((error) => {
    throw new UsageError(`--agents: ${error.message}`);
  });
  const refused = links.flatMap(({ name }, index) =>
    answers[index].length === 0 ? [] : `${name} does not allow ${answers[index].join(', ')}`,
  );
  if (refused.length > 0) throw new UsageError(`--agents: ${refused.join('; ')}`);
}

/** @typedef {Awaited<ReturnType<typeof openAgentLink>>} AgentLink one agent, as the commander sees it */

const FORGETS_WITHIN_MS = 1500;

/** After no reply to anything else, an agent is asked no more: each cell would wait as long again. */
const IN_PASSING = new Set(['hello', 'stop', 'interrupt', 'kill', 'end']);

/**
 * The queue of an agent, for the commander: a call is a job, its answer the job's result.
 * @param {ControlRedis} control @param {string} name of the agent @param {string} caller
 */
export async function openAgentLink(control, name, caller) {
  const queue = await createQueue(control, agentQueue(name));
  const events = await createEvents(control, agentQueue(name));
  const calls = createCalls();
  let lastCall = 0;
  let nonce = '';
  let unwatch = () => {};
  let hasBegun = false;
  /** @type {Promise<unknown>} */
  let removing = Promise.resolve();

  const failure = (/** @type {string} */ why) => new RunError(`${name}: ${why}`);
  events.on('completed', ({ jobId, returnvalue }) => calls.answer(jobId, returnvalue ?? undefined));
  events.on('failed', ({ jobId, failedReason }) => calls.fail(jobId, failure(failedReason)));
  events.on('progress', ({ jobId, data }) => calls.tell(jobId, data));

  /** @param {string} why */
  const loseFor = (why) => calls.end(new RunError(`the agent ${name} was lost: ${why}`));

  /**
   * @param {string} method @param {any} [data] @param {(news: any) => void} [onNews] @param {number} [withinMs]
   * @returns {Promise<any>} the agent's answer, checked: nobody else can answer in its name
   */
  async function call(method, data = {}, onNews = () => {}, withinMs = withinOf(method)) {
    const id = `${caller}-${++lastCall}`;
    const seal = { agent: name, nonce, id, name: method };
    const job = { ...seal, data: { session: caller, ...data } };
    const fail = (/** @type {unknown} */ error) => calls.fail(id, failure(messageOf(error)));
    const send = () => void queue.add(method, signed(control.token, job), { jobId: id }).catch(fail);
    /** @param {'answer' | 'news'} kind @param {unknown} given */
    function read(kind, given) {
      const value = verifiedAnswer(control.token, seal, kind, given);
      checkShape(kind, method, value);
      return value;
    }
    /** @param {unknown} given */
    function tell(given) {
      try {
        onNews(read('news', given));
      } catch (error) {
        fail(error);
      }
    }
    const answer = calls.wait(id, send, tell);
    /** @type {unknown} */
    let given;
    try {
      given = await (Number.isFinite(withinMs) ? within(withinMs, answer) : answer);
    } catch (error) {
      answer.catch(() => {});
      calls.forget(id);
      // An agent that takes this name later must not find the job.
      const removed = within(FORGETS_WITHIN_MS, queue.remove(id)).catch(() => {});
      removing = Promise.all([removing, removed]);
      if (!isTimeout(error)) throw error;
      const why = `no reply to '${method}' within ${Math.round(withinMs / 1000)} s`;
      if (!IN_PASSING.has(method)) loseFor(why);
      throw Object.assign(calls.over() ?? failure(why), { isSilent: true });
    }
    try {
      return read('answer', given);
    } catch (error) {
      throw failure(messageOf(error));
    }
  }

  return {
    name,
    /** Why no answer comes any more, if so. */
    lost: calls.over,
    /** Everything that waits fails with this reason. */
    lose: calls.end,
    call,

    /** @returns {Promise<Hello | null>} null where nobody answers */
    async hello() {
      const hello = await call('hello').catch((error) => {
        if (error.isSilent) return null;
        throw error;
      });
      if (hello === null) return null;
      if (hello.name !== name) throw failure('it replied under another name');
      nonce = hello.nonce ?? '';
      return hello;
    },

    /** Reserves it for this benchmark until the link is closed. @param {Offer} offer @param {Hello} hello */
    async begin(offer, { lease }) {
      unwatch = watchLease(control, leaseOf(agentQueue(name)), lease, (how) =>
        how === 'ended'
          ? calls.end(failure('the agent was ended there'))
          : loseFor(`it sent nothing for ${LEASE_MS / 1000} s`),
      );
      hasBegun = true;
      await call('begin', offer);
    },

    async close() {
      if (hasBegun && calls.over() === null) await call('end').catch(() => {});
      unwatch();
      calls.end(failure('the benchmark is over'));
      await setImmediate();
      await removing;
      await Promise.all([events.close(), queue.close()]);
    },
  };
}
