import { randomBytes } from 'node:crypto';
import os from 'node:os';
import { messageOf, ServerError, UsageError } from '../errors.js';
import { describeTool } from '../machine/environment.js';
import { installedPackages } from '../machine/releases/manifest.js';
import { openAgentLink } from './agent-link.js';
import { agentsAmong } from './bull.js';

/** @import { AgentFacts, Notice } from '../results/types.js' */
/** @import { ControlRedis } from './control-redis.js' */
/** @import { Hello, Refusing } from './types.js' */

/** @returns {string} a new one each time: the queues' events still hold answers to earlier calls */
export const createCallerName = () =>
  `${os.hostname()}-${process.pid}-${randomBytes(3).toString('hex')}`.replace(/[^\w.-]/g, '-');

/** Asks every agent that has a queue who it is. @param {ControlRedis} control @param {string} caller */
export async function greet(control, caller) {
  const names = agentsAmong(await control.queueNames());
  const all = await Promise.all(names.map((name) => openAgentLink(control, name, caller)));
  /** @type {(Hello | Refusing | null)[]} */
  const answers = await Promise.all(
    all.map((link) => link.hello().catch((error) => ({ name: link.name, why: messageOf(error) }))),
  );
  const isHello = (/** @type {Hello | Refusing | null} */ answer) => answer !== null && 'tool' in answer;
  await Promise.all(all.filter((_, index) => !isHello(answers[index])).map((link) => link.close()));
  return {
    links: all.filter((_, index) => isHello(answers[index])),
    hellos: answers.filter(isHello),
    silent: names.filter((_, index) => answers[index] === null),
    refusing: answers.filter((answer) => answer !== null && 'why' in answer),
  };
}

/** @param {ControlRedis} control @param {string[]} silent */
export const nobody = ({ label }, silent) =>
  new ServerError(
    `expected agents that wait for jobs at ${label}, found ${silent.length === 0 ? 'none' : `none that replies (${silent.join(', ')})`}; ` +
      `start one on each load machine: redis-pipe-bench agent --queue redis://${label} --allow redis://TARGET`,
  );

/** Whether it is an agent with another token. @param {Refusing} refusing */
export const isAgent = ({ why }) => why.includes('--queue-token');

/**
 * @param {ControlRedis} control @param {Hello[]} hellos @param {Refusing[]} refusing
 * @throws {UsageError} where jobs would be refused, or would be done for anybody
 */
export function checkTokens({ token }, hellos, refusing) {
  const refused = refusing.find(isAgent);
  if (refused !== undefined) throw new UsageError(`--queue-token: ${refused.why}`);
  const open = token === null ? [] : hellos.filter(({ nonce }) => !nonce);
  if (open.length === 0) return;
  throw new UsageError(
    `--queue-token: expected agents that were started with it, but ${open.map(({ name }) => name).join(', ')} ` +
      'took none and would run any job; start the agents with the same token, or leave it out here',
  );
}

/** @param {Hello[]} hellos @throws {UsageError} */
export function checkVersions(hellos) {
  const { version } = describeTool();
  const others = hellos.filter(({ tool }) => tool !== version);
  if (others.length === 0) return;
  throw new UsageError(
    `--agents: expected agents of version ${version}, as this one is, found ` +
      `${others.map(({ name, tool }) => `${name} with ${tool}`).join(', ')}; install the same version there`,
  );
}

/** @param {Hello[]} hellos @throws {ServerError} */
export function checkFree(hellos) {
  const busy = hellos.filter(({ worksFor }) => worksFor !== null);
  if (busy.length === 0) return;
  throw new ServerError(
    `--agents: expected idle agents, but ${busy.map(({ name, worksFor }) => `${name} works for ${worksFor}`).join(', ')}; ` +
      'try again when that benchmark is over',
  );
}

/**
 * How agents differ, which may be why their figures do.
 * @param {AgentFacts[]} agents @param {string[]} silent @param {Refusing[]} refusing @returns {Notice[]}
 */
export function notesOf(agents, silent, refusing) {
  const here = { node: process.versions.node, packages: installedPackages(Object.keys(agents[0].packages)) };
  /** @type {Notice[]} */
  const notes = [];
  for (const { name, node, packages } of agents) {
    if (node !== here.node) notes.push({ kind: 'agent-node', agent: name, node, here: here.node });
    for (const [id, version] of Object.entries(packages)) {
      const own = here.packages[id] ?? null;
      if (version !== own) {
        notes.push({ kind: 'agent-package', agent: name, package: id, version, here: own });
      }
    }
  }
  for (const agent of silent) notes.push({ kind: 'agent-silent', agent });
  for (const { why } of refusing) notes.push({ kind: 'agent-refuses', why });
  return notes;
}
