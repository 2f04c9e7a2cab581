import assert from 'node:assert/strict';
import { connectControl } from '../../src/server/control.js';
import { difference, parseInfo, snapshotOf } from '../../src/server/counters.js';
import { startManaged } from '../helpers/managed-server.js';

/** @import { Control, InfoReply } from '../../src/server/types.js' */

/**
 * @param {Record<string, string | number>} fields
 * @returns {InfoReply} a reply of INFO with just these
 */
const reply = (fields) => ({
  fields: Object.fromEntries(Object.entries(fields).map(([name, value]) => [name, String(value)])),
  requestBytes: 0,
  replyBytes: 0,
});

const BEFORE = {
  run_id: 'abc',
  total_commands_processed: 100,
  total_connections_received: 10,
  cmdstat_get: 'calls=50,usec=100,usec_per_call=2.00,rejected_calls=0,failed_calls=0',
  cmdstat_info: 'calls=3,usec=9,usec_per_call=3.00,rejected_calls=0,failed_calls=0',
};
const AFTER = {
  ...BEFORE,
  // 40 GET, 2 CLIENT SETINFO, and the INFO of the first snapshot.
  total_commands_processed: 143,
  total_connections_received: 12,
  cmdstat_get: 'calls=90,usec=180,usec_per_call=2.00,rejected_calls=0,failed_calls=0',
  'cmdstat_client|setinfo': 'calls=2,usec=9,usec_per_call=3.00,rejected_calls=0,failed_calls=0',
  cmdstat_info: 'calls=4,usec=9,usec_per_call=3.00,rejected_calls=0,failed_calls=0',
};

/** @param {Record<string, string | number>} before @param {Record<string, string | number>} after */
const between = (before, after) => {
  const delta = difference(snapshotOf(reply(before)), snapshotOf(reply(after)));
  assert.ok(delta);
  return delta;
};

/** @param {Record<string, any>} object @param {...string} names */
const without = (object, ...names) =>
  Object.fromEntries(Object.entries(object).filter(([name]) => !names.includes(name)));

describe('server/info', () => {
  describe('parseInfo', () => {
    it('reads fields, whatever the section and the line ends', () => {
      const text = '# Server\r\nredis_version:7.0.15\r\n\r\n# Clients\nconnected_clients:1\n';
      assert.deepEqual(parseInfo(text), { redis_version: '7.0.15', connected_clients: '1' });
    });
    it('splits at the first colon only', () => {
      assert.deepEqual(parseInfo('executable:/opt/c:/redis'), { executable: '/opt/c:/redis' });
    });
    it('takes a field without a value', () =>
      assert.deepEqual(parseInfo('config_file:'), { config_file: '' }));
    it('has nothing for an empty text', () => assert.deepEqual(parseInfo(''), {}));
  });

  describe('snapshotOf', () => {
    it('has the counters', () => {
      const snapshot = snapshotOf(reply(BEFORE));
      assert.ok(snapshot);
      const { runId, commands, connections, calls } = snapshot;
      assert.deepEqual(
        { runId, commands, connections, calls },
        { runId: 'abc', commands: 100, connections: 10, calls: { get: 50, info: 3 } },
      );
    });
    it('is null where INFO was not allowed', () => assert.equal(snapshotOf(null), null));
    it('has null for what a server does not tell', () => {
      const snapshot = snapshotOf(reply({}));
      assert.ok(snapshot);
      const { runId, commands, connections, calls } = snapshot;
      assert.deepEqual([runId, commands, connections, calls], [null, null, null, null]);
    });
    it('has null for what is no number', () => {
      assert.equal(snapshotOf(reply({ total_commands_processed: 'many' }))?.commands, null);
    });
  });

  describe('difference', () => {
    it("is what others did, the tool's own INFO taken out", () => {
      const delta = between(BEFORE, AFTER);
      assert.equal(delta.commands, 42);
      assert.equal(delta.connections, 2);
      assert.deepEqual(delta.calls, { get: 40, 'client|setinfo': 2, info: 0 });
    });
    it('still shows the INFO of others', () => {
      assert.equal(between(BEFORE, { ...AFTER, cmdstat_info: 'calls=9,usec=9' }).calls?.info, 5);
    });
    it('counts commands that had not been called before from 0', () => {
      const delta = between(without(BEFORE, 'cmdstat_get', 'cmdstat_info'), {
        ...AFTER,
        cmdstat_info: 'calls=1',
      });
      assert.deepEqual(delta.calls, { get: 90, 'client|setinfo': 2, info: 0 });
    });
    it('has null for what a server does not tell', () => {
      const names = ['cmdstat_get', 'cmdstat_info', 'cmdstat_client|setinfo', 'total_commands_processed'];
      const delta = between(without(BEFORE, ...names), without(AFTER, ...names));
      assert.equal(delta.calls, null);
      assert.equal(delta.commands, null);
      assert.equal(delta.connections, 2);
    });
    it('counts what replicas answered, and nothing of what keeps them in step', () => {
      const replica = (/** @type {Record<string, number>} */ calls) =>
        snapshotOf(
          reply({
            total_reads_processed: 10 * calls.get,
            ...Object.fromEntries(
              Object.entries(calls).map(([name, count]) => [`cmdstat_${name}`, `calls=${count},`]),
            ),
          }),
        );
      const primary = (/** @type {number} */ acknowledged) =>
        snapshotOf(
          reply({
            ...(acknowledged === 0 ? BEFORE : AFTER),
            cmdstat_replconf: `calls=${acknowledged},`,
            total_commands_processed: (acknowledged === 0 ? 100 : 143) + acknowledged,
            total_net_input_bytes: 1000,
          }),
        );
      const delta = difference(
        {
          .../** @type {any} */ (primary(0)),
          replicas: [{ node: 'r:1', snapshot: replica({ get: 5, set: 7 }) }],
        },
        {
          .../** @type {any} */ (primary(3)),
          replicas: [{ node: 'r:1', snapshot: replica({ get: 25, set: 17, ping: 2, select: 1, info: 1 }) }],
        },
      );
      assert.ok(delta?.replicas);
      assert.equal(delta.commands, 42);
      assert.deepEqual(delta.calls, { get: 60, 'client|setinfo': 2, info: 0 });
      const { commands, primaryCommands, reads, nodes } = delta.replicas;
      // Which reads of its sockets brought the writes of the primary, is not known.
      assert.deepEqual([commands, primaryCommands, reads], [20, 40, null]);
      assert.deepEqual(nodes, [{ node: 'r:1', commands: 20, mainThreadCpuUs: null }]);
    });
    it('is null where INFO was not allowed', () => {
      assert.equal(difference(null, snapshotOf(reply(AFTER))), null);
      assert.equal(difference(snapshotOf(reply(BEFORE)), null), null);
    });
  });

  describe('two snapshots of a real server', () => {
    /** @type {Awaited<ReturnType<typeof startManaged>>} */
    let server;
    /** @type {Control} */
    let control;
    before(async () => {
      server = await startManaged();
      control = await connectControl(server.targets.tcp);
    });
    after(async () => {
      control.close();
      await server.stop();
    });

    const snapshot = async () => snapshotOf(await control.info());

    it('differ by exactly what happened between them', async () => {
      const before = await snapshot();
      for (let count = 0; count < 7; count++) await server.query('GET', 'key');
      await server.query('SET', 'key', 'value');
      const delta = difference(before, await snapshot());
      assert.ok(delta);
      assert.equal(delta.commands, 8);
      assert.equal(delta.connections, 0);
      const { get, set, info } = delta.calls ?? {};
      assert.deepEqual({ get, set, info }, { get: 7, set: 1, info: 0 });
    });

    it('do not differ where nothing happened', async () => {
      const before = await snapshot();
      const delta = difference(before, await snapshot());
      assert.equal(delta?.commands, 0);
      for (const [name, calls] of Object.entries(delta?.calls ?? { none: 1 })) assert.equal(calls, 0, name);
    });

    it('show a connection that was opened between them', async () => {
      const before = await snapshot();
      (await connectControl(server.targets.tcp)).close();
      assert.equal(difference(before, await snapshot())?.connections, 1);
    });
  });
});
