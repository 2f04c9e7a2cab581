import assert from 'node:assert/strict';
import { bisect } from '../../src/history/bisect.js';

const ENDS = { client: 'redis', from: '6.3.0', to: '6.3.1', dryRun: true };

describe('commands/bisect', () => {
  it('refuses several servers before it looks for releases, and shows no URL', async () => {
    await assert.rejects(
      bisect({ ...ENDS, server: ['redis-server', 'redis-server'] }),
      /^UsageError: --server: expected one value, .*, got 'redis-server,redis-server'$/,
    );
    await assert.rejects(
      bisect({ ...ENDS, serverConfig: ['none', 'io-threads 4'] }),
      /^UsageError: --server-config: expected one value, .*, got 'default settings,io-threads 4'$/,
    );
    await assert.rejects(
      bisect({ ...ENDS, workload: 'fetch:20' }),
      /^UsageError: --way: expected one value, .*, and fetch:20 can be sent in several ways; add --way pipeline or/,
    );
    await assert.rejects(
      bisect({ ...ENDS, workload: './checkout.js', client: 'no-such' }),
      /^UsageError: unknown client 'no-such'/,
    );
    await assert.rejects(
      bisect({ ...ENDS, command: ['GET {key}', 'TTL {key}'] }),
      /^UsageError: --command: expected one value, .*, got 'GET \{key\},TTL \{key\}'$/,
    );
    await assert.rejects(
      bisect({ ...ENDS, command: 'GET {key} ; TTL {key}' }),
      /^UsageError: --way: .*, and command:GET \{key\} ; TTL \{key\} can be sent in several ways; add --way pipel/,
    );
    await assert.rejects(
      bisect({ ...ENDS, url: 'redis://:secret@127.0.0.1:1,redis://127.0.0.1:2' }),
      /^UsageError: --url: expected one server, because bisect measures one cell, got 2$/,
    );
  });
});
