import assert from 'node:assert/strict';
import { EventEmitter } from 'node:events';
import { createClientEvents } from '../../src/worker/client-events.js';
import { openSilently } from '../../src/worker/silent.js';
import { jobOf } from '../helpers/job.js';

describe('what clients emit', () => {
  it('is not known where none is watched', () => {
    assert.equal(createClientEvents().take(), null);
  });

  it('is counted since the last look, from one server or the nodes of a cluster', () => {
    const events = createClientEvents();
    const client = new EventEmitter();
    events.ofConnection().watch(client);
    client.emit('error', new Error('the first'));
    client.emit('node error', new Error('of ioredis'), 'node');
    client.emit('node-error', new Error('of node-redis'), {});
    for (const event of ['reconnecting', 'node-reconnecting', 'end', 'ready', 'connect']) client.emit(event);
    assert.deepEqual(events.take(), { errors: 3, firstError: 'the first', reconnections: 2, ends: 1 });
    assert.deepEqual(events.take(), { errors: 0, firstError: null, reconnections: 0, ends: 0 });
  });

  it('has no end that was asked for, but errors all the same', () => {
    const events = createClientEvents();
    const [client, other] = [new EventEmitter(), new EventEmitter()];
    const { watch, closing } = events.ofConnection();
    watch(client);
    events.ofConnection().watch(other);
    closing();
    for (const each of [client, other]) {
      each.emit('end');
      each.emit('error', new Error('late'));
    }
    assert.deepEqual(events.take(), { errors: 2, firstError: 'late', reconnections: 0, ends: 1 });
  });

  it('shows no secret and no endless text', () => {
    const events = createClientEvents();
    const client = new EventEmitter();
    events.ofConnection().watch(client);
    client.emit('error', new Error(`cannot reach redis://joe:hunter2@host ${'x'.repeat(100_000)}`));
    const text = String(events.take()?.firstError);
    assert.match(text, /^cannot reach redis:\/\/\*\*\*@host x+/);
    assert.ok(text.length < 1000);
  });

  it('tells nothing of a script whose replies nobody may see', async () => {
    const emitted = { errors: 1, firstError: 'Last reply: hunter2', reconnections: 0, ends: 0 };
    const cell = { afterRun: async () => ({ emitted }) };
    const parameter = { commands: [['EVAL', 'return 1', '0']], prepare: null };
    const job = { ...jobOf({ workload: { id: 'command', parameter } }), silence: 'not told' };
    const silent = await openSilently(
      async () => /** @type {any} */ (cell),
      job,
      () => {},
    );
    assert.deepEqual((await silent.afterRun?.())?.emitted, { ...emitted, firstError: 'not told' });
  });

  it('may be nothing that is an Error', () => {
    const events = createClientEvents();
    const client = new EventEmitter();
    events.ofConnection().watch(client);
    client.emit('error', 'a text');
    client.emit('error');
    assert.deepEqual(events.take(), { errors: 2, firstError: 'a text', reconnections: 0, ends: 0 });
  });

  it('tells nothing of such a script when anything that may run it fails', async () => {
    const parameter = { commands: [['EVAL', 'return 1', '0']], prepare: null };
    const job = { ...jobOf({ workload: { id: 'command', parameter } }), silence: 'not told' };
    /** @returns {Promise<never>} */
    const fails = async () => {
      throw new Error('a secret');
    };
    const asked = ['prepare', 'beforeRun', 'makeAnew', 'missingKeys', 'run', 'afterRun', 'finish'];
    const failing = Object.fromEntries(asked.map((name) => [name, fails]));
    const silent = await openSilently(
      async () => ({ stop() {}, prepare: fails, run: fails, ...failing }),
      job,
      () => {},
    );
    for (const name of asked) await assert.rejects(Object(silent)[name]({}), { message: 'not told' }, name);
  });
});
