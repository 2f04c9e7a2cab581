import { randomBytes } from 'node:crypto';
import os from 'node:os';
import { RunError, ServerError, UsageError } from '../errors.js';
import { describeTool } from '../machine/environment.js';
import { installedPackages } from '../machine/releases/installed.js';
import { within } from '../server/within.js';
import { machineId } from './agent-facts.js';
import { openAgentLink } from './agent-link.js';
import { agentQueue, agentsAmong, commanderQueue, createWorker } from './bull.js';
import { createClock } from './clock-offset.js';
import { holdLease } from './lease.js';
import { placesOf } from './permissions.js';
import { createRemoteWorkers } from './remote-workers.js';

/**
 * @import { AgentFacts } from '../results/types.js'
 * @import { Server } from '../server/types.js'
 * @import { AgentLink, ControlRedis, Crew, Hello, Wants } from './types.js'
 */

const ENDS_WITHIN_MS = 2000;

/**
 * Takes every agent that waits at a control Redis into service.
 *
 * @param {ControlRedis} control
 * @returns {Promise<Crew>}
 * @throws {ServerError} where there is none, or one works for somebody else
 * @throws {UsageError} where one is another version of this tool
 */
export async function gatherCrew(control) {
  const caller = createCallerName();
  const { links, hellos, silent } = await greet(control, caller);
  /** @type {(() => Promise<unknown>)[]} in reverse */
  const endings = [async () => control.close(), ...links.map((link) => link.close)];
  const close = async () => {
    // A control Redis that is gone answers none of them; the last one ends all connections.
    for (const end of endings.splice(0).reverse()) await within(ENDS_WITHIN_MS, end()).catch(() => {});
  };
  try {
    if (links.length === 0) throw nobody(control, silent);
    checkVersions(hellos);
    checkFree(hellos);
    const lease = await holdLease(control, commanderQueue(caller), () => {
      const lost = new RunError(`the control Redis at ${control.label} was lost`);
      for (const link of links) link.lose(lost);
    });
    endings.splice(1, 0, lease.end);
    const offer = { tool: describeTool().version, commander: caller, lease: lease.lease };
    await Promise.all(links.map((link) => link.open(offer).catch(refused)));
    const checkers = await Promise.all(
      links.map(({ name }) => createWorker(control, agentQueue(name), 'watch', null)),
    );
    endings.push(() => Promise.all(checkers.map((checker) => checker.close(true))));
    const clock = await createClock(control.time);
    const agents = hellos.map(({ worksFor: _, aheadMs: _ahead, ...facts }) => facts);
    const areLocal = agents.every(({ machine }) => machine === machineId());
    return {
      agents,
      areLocal,
      notes: notesOf(agents, silent),
      lose: (name, reason) => links.find((link) => link.name === name)?.lose(reason),
      startWorkers: createRemoteWorkers({ links, clock, areLocal, isPrivate: control.isPrivate }),
      check: (servers, wants) => check({ control, links, areLocal }, servers, wants),
      close,
    };
  } catch (error) {
    await close();
    throw error;
  }
}

/** @returns {string} another one each time: answers to earlier calls are still in the queues' events */
export const createCallerName = () =>
  `${os.hostname()}-${process.pid}-${randomBytes(3).toString('hex')}`.replace(/[^\w.-]/g, '-');

/** @param {Error} error @returns {never} */
const refused = (error) => {
  throw new ServerError(error.message);
};

/**
 * Asks every agent that has a queue who it is.
 *
 * @param {ControlRedis} control
 * @param {string} caller
 */
export async function greet(control, caller) {
  const names = agentsAmong(await control.queueNames());
  const all = await Promise.all(names.map((name) => openAgentLink(control, name, caller)));
  const answers = await Promise.all(all.map((link) => link.hello()));
  await Promise.all(all.filter((_, index) => answers[index] === null).map((link) => link.close()));
  return {
    /** @type {AgentLink[]} */
    links: all.filter((_, index) => answers[index] !== null),
    hellos: answers.filter((answer) => answer !== null),
    silent: names.filter((_, index) => answers[index] === null),
  };
}

/** @param {ControlRedis} control @param {string[]} silent */
const nobody = ({ label }, silent) =>
  new ServerError(
    `expected agents that wait for jobs at ${label}, found ${silent.length === 0 ? 'none' : `none that answers (${silent.join(', ')})`}; ` +
      `start one on each load machine: redis-pipe-bench agent --queue redis://${label} --allow redis://TARGET`,
  );

/** @param {Hello[]} hellos @throws {UsageError} */
function checkVersions(hellos) {
  const { version } = describeTool();
  const others = hellos.filter(({ tool }) => tool !== version);
  if (others.length === 0) return;
  throw new UsageError(
    `--agents: expected agents of version ${version}, as this one is, found ` +
      `${others.map(({ name, tool }) => `${name} with ${tool}`).join(', ')}; install the same version there`,
  );
}

/** @param {Hello[]} hellos @throws {ServerError} */
function checkFree(hellos) {
  const busy = hellos.filter(({ worksFor }) => worksFor !== null);
  if (busy.length === 0) return;
  throw new ServerError(
    `--agents: expected agents that wait for work, but ${busy.map(({ name, worksFor }) => `${name} works for ${worksFor}`).join(', ')}; ` +
      'try again when that benchmark is over',
  );
}

/**
 * @param {AgentFacts[]} agents
 * @param {string[]} silent
 * @returns {string[]} in what they differ, which may be why their figures do
 */
function notesOf(agents, silent) {
  const here = { node: process.versions.node, packages: installedPackages(Object.keys(agents[0].packages)) };
  const differing = agents.flatMap(({ name, node, packages }) => [
    ...(node === here.node ? [] : [`${name} runs Node ${node}, this machine ${here.node}`]),
    ...Object.entries(packages).flatMap(([id, version]) =>
      version === here.packages[id]
        ? []
        : [`${name} has ${id} ${version}, this machine ${here.packages[id] ?? 'none'}`],
    ),
  ]);
  return [
    ...differing,
    ...silent.map(
      (name) =>
        `the agent ${name} does not answer and takes no part; 'redis-pipe-bench agents clean' removes what it left`,
    ),
  ];
}

/**
 * Before anything is measured: the target must not be the control Redis, and every agent must be able to reach it
 * and be allowed to.
 *
 * @param {{control: ControlRedis, links: AgentLink[], areLocal: boolean}} crew
 * @param {Server[]} servers
 * @param {Omit<Wants, 'targets'>} wants
 * @throws {UsageError}
 */
async function check({ control, links, areLocal }, servers, wants) {
  for (const { runIds, targets, isLocal } of servers) {
    const addresses = Object.values(targets).flatMap(placesOf);
    const same = runIds === null ? addresses.includes(control.label) : runIds.includes(`${control.runId}`);
    if (same) {
      throw new UsageError(
        `--agents: the control Redis at ${control.label} is the server that is measured, and its own commands would be ` +
          'counted among those of the benchmark; use another Redis for one of them',
      );
    }
    if (isLocal && !areLocal) {
      throw new UsageError(
        `--agents: ${addresses[0]} is on this machine only, and agents on other machines cannot reach it; name the ` +
          'server by an address that they know (--url)',
      );
    }
  }
  const targets = servers.flatMap((server) => Object.values(server.targets).flatMap(placesOf));
  const answers = await Promise.all(links.map((link) => link.call('check', { targets, ...wants })));
  const refusals = answers.flatMap((texts, index) =>
    texts.length === 0 ? [] : [`${links[index].name} does not allow ${texts.join(', ')}`],
  );
  if (refusals.length > 0) throw new UsageError(`--agents: ${refusals.join('; ')}`);
}
