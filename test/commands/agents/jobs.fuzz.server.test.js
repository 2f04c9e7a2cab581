import assert from 'node:assert/strict';
import { randomBytes } from 'node:crypto';
import { setImmediate } from 'node:timers/promises';
import { uniformInt } from 'pure-rand/distribution/uniformInt';
import { xoroshiro128plus } from 'pure-rand/generator/xoroshiro128plus';
import { createCallerName, openAgentLink } from '../../../src/commands/agents/agent-link.js';
import { commanderLease, holdLease, openControlRedis } from '../../../src/commands/agents/control-redis.js';
import { readTyped } from '../../../src/commands/agents/job-request.js';
import { placeOf } from '../../../src/commands/agents/permissions.js';
import { describeTool } from '../../../src/machine/environment.js';
import { fuzz, NIGHTLY } from '../../helpers/nightly.js';
import { startRedis } from '../../helpers/redis-server.js';
import { startAgentHere } from '../../helpers/start-agent.js';

/**
 * Every job that an agent knows, signed with its own token, with up to three changes anywhere in it. The agent does it or
 * refuses it in a sentence, and goes on.
 */

const TOKEN = 'T0ken-of-the-load-team';
const TRIES = fuzz(80).numRuns;
const SEED = Number(process.env.FUZZ_SEED ?? 59);
/** To try those again that failed: what is drawn before is left out. */
const FROM = Number(process.env.FUZZ_FROM ?? 0);
const ANSWERS_WITHIN_MS = 10_000;
const MOST_GROWN_BYTES = 400e6;

/** What an engine says of a bug, and no sentence of ours. */
const BUG =
  /is not (a function|iterable|defined)|Cannot |Maximum call stack|undefined|\bNaN\b|\[object|Invalid (array|time)|ERR_/;

const deep = JSON.parse(`${'['.repeat(500)}${']'.repeat(500)}`);
/** @type {unknown[]} */
const VALUES = [
  ...[
    null,
    true,
    false,
    '',
    '0',
    'x',
    '__proto__',
    'constructor',
    'tcp',
    '\u001b[31m',
    'x'.repeat(1e5),
    '../../..',
  ],
  ...[0, -0, 1, -1, 2, 0.5, 1e3, 1e7, 2 ** 31 - 1, 2 ** 31, 2 ** 32, 2 ** 53, 1e15, 1e300, -1e300, 5e-324],
  ...[[], {}, [[]], [null], Array(1e4).fill(0), { length: 1 }, JSON.parse('{"__proto__": {"a": 1}}'), deep],
];
const NAMES = [
  'toString',
  'constructor',
  'durationMs',
  'iterations',
  'startAtMs',
  'timed',
  'agents',
  'config',
];

describe('jobs that were made at random, with the right token', function () {
  this.timeout(NIGHTLY ? 7_200_000 : 120_000);
  const random = xoroshiro128plus(SEED);
  /** @type {(() => unknown)[]} */
  const endings = [];
  afterEach(async () => {
    for (const end of endings.splice(0).reverse()) await end();
  });
  const below = (/** @type {number} */ count) => uniformInt(random, 0, count - 1);
  /** @template T @param {T[]} all @returns {T} */
  const oneOf = (all) => all[below(all.length)];

  /** @param {any} data @returns {[holder: any, name: string][]} every place in it */
  const placesIn = (data) =>
    typeof data === 'object' && data !== null
      ? Object.keys(data).flatMap((name) => [
          /** @type {[any, string]} */ ([data, name]),
          ...placesIn(data[name]),
        ])
      : [];

  /** @param {any} data is changed */
  function change(data) {
    const places = placesIn(data);
    const [holder, name] = places.length === 0 ? [data, oneOf(NAMES)] : oneOf(places);
    const how = below(10);
    if (how === 0) delete holder[name];
    else if (how === 1) holder[oneOf(NAMES)] = structuredClone(oneOf(VALUES));
    else if (how === 2 && places.length > 0)
      holder[name] = structuredClone(oneOf(places).reduce((from, at) => from[at]));
    else if (how === 3 && typeof holder[name] === 'number') holder[name] *= oneOf([-1, 10, 1e6, 1e12]);
    else holder[name] = structuredClone(oneOf(VALUES));
  }

  it('are done or refused in a sentence, and never end or stop the agent', async function () {
    const [control, target] = await Promise.all([startRedis(), startRedis()]);
    endings.push(control.stop, target.stop);
    const agent = await startAgentHere({
      ...{ queue: control.url, name: 'load-1', queueToken: TOKEN },
      allow: [target.url],
    });
    endings.push(agent.end);
    const redis = await openControlRedis(control.url, { queueToken: TOKEN }, '--queue');
    endings.push(async () => redis.close());
    const place = placeOf({ transport: 'tcp', host: '127.0.0.1', port: target.port });
    const options = { clients: ['raw'], scenarios: ['shared-connection'], size: [10], keySize: [20] };
    const typed = {
      options: { ...options, keys: 2, tasks: [2], seed: 1, machines: [1] },
      ...{ suite: {}, folders: {}, releases: {}, targets: [place], servers: [{ transports: ['tcp'] }] },
    };
    const read = await readTyped(/** @type {any} */ ({ ...typed, cells: [] }), () => []);
    assert.ok(!Array.isArray(read));
    const [{ id: cell }] = read.cells;
    const workersId = '1';
    const how = { keyPrefix: 'rpb:0000', removal: ['DEL'], runIds: null, cpus: null };
    /** @type {Record<string, any>} */
    const jobs = {
      hello: {},
      begin: { tool: describeTool().version, commander: 'somebody', lease: 'a0' },
      plan: { ...typed, cells: [cell] },
      prepare: { workersId: '2', cell, target: place, ...how, part: { index: 0, count: 1 } },
      run: { workersId, length: { timed: true, durationMs: 5 } },
      'before-run': { workersId, params: null },
      'after-run': { workersId, params: null },
      'missing-keys': { workersId, params: null },
      unanswered: { workersId, params: null },
      emitted: { workersId, params: null },
      'start-profile': { workersId, params: { kind: 'cpu' } },
      'begin-profile': { workersId, params: null },
      'stop-profile': { workersId, params: { fromMs: 1, toMs: 2, cpuUs: 3, whole: false } },
      ...{ finish: { workersId, params: null }, interrupt: { workersId }, kill: { workersId }, end: {} },
    };
    const methods = [...Object.keys(jobs), ...Array(8).fill('run'), ...Array(4).fill('plan'), 'prepare'];
    const lease = randomBytes(9).toString('hex');
    let link = await begin();

    /** A benchmark of its own. */
    async function begin() {
      const caller = createCallerName();
      const release = await holdLease(redis, commanderLease(caller), lease, () => {});
      const opened = await openAgentLink(redis, 'load-1', caller);
      endings.push(async () => release?.(), opened.close);
      const hello = await opened.hello();
      assert.ok(hello !== null, 'the agent is gone');
      await opened.begin({ tool: hello.tool, commander: caller, lease }, hello);
      await prepareAnew(opened);
      return opened;
    }
    /** @param {Awaited<ReturnType<typeof openAgentLink>>} link */
    async function prepareAnew(link) {
      assert.deepEqual(await link.call('plan', jobs.plan), []);
      await link.call('kill', { workersId });
      await link.call('prepare', { ...jobs.prepare, workersId });
    }

    /** @param {string} method @param {any} data @returns {Promise<string | null>} why not, if it was refused */
    async function ask(method, data) {
      // A run may well be long; then it is stopped.
      const stopping = setTimeout(() => void link.call('stop', { workersId }).catch(() => {}), 300);
      return link
        .call(method, data, undefined, ANSWERS_WITHIN_MS)
        .then(
          () => null,
          ({ message }) => String(message),
        )
        .finally(() => clearTimeout(stopping));
    }

    /** @type {string[]} */
    const unclear = [];
    const counts = { done: 0, refused: 0 };
    const before = process.memoryUsage.rss();
    for (let attempt = 0; attempt < TRIES; attempt++) {
      const method = oneOf(methods);
      const data = structuredClone(jobs[method]);
      for (let times = below(4); times > 0; times--) change(data);
      const name = below(20) === 0 ? String(oneOf([...NAMES, 'runs', '__proto__', ''])) : method;
      if (attempt < FROM) {
        // Else the agent, which is in this process, would seem dead.
        await setImmediate();
        continue;
      }
      const why = await ask(name || 'x', data);
      const what = `${attempt}: ${name} ${JSON.stringify(data).slice(0, 300)}: ${why}`;
      if (why === null) {
        counts.done++;
        if (name === 'end') link = await begin();
        else if (
          !['hello', 'run', 'after-run', 'missing-keys', 'unanswered', 'emitted', 'before-run'].includes(name)
        )
          await prepareAnew(link);
        if (name === 'prepare') await link.call('kill', { workersId: data.workersId });
      } else {
        counts.refused++;
        if (BUG.test(why) || why.length > 1000 || why.includes('\u001b')) unclear.push(what);
        assert.doesNotMatch(why, /no reply to|was lost/, what);
      }
    }
    assert.deepEqual(unclear, []);
    assert.equal((await link.hello())?.name, 'load-1');
    const grown = process.memoryUsage.rss() - before;
    assert.ok(grown < MOST_GROWN_BYTES, `${grown} bytes more after ${TRIES} jobs`);
    assert.ok(counts.done > 0 && counts.refused > 0, JSON.stringify(counts));
    const megabytes = Math.round(grown / 1e6);
    /** @type {Mocha.Runnable} */ (this.test).title += ` (${JSON.stringify(counts)}, ${megabytes} MB more)`;
  });
});
