import assert from 'node:assert/strict';
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { checkPlugin } from '../../src/cli/commands/own.js';

/** @param {{head?: string, options?: string, body?: string, members?: string, more?: string}} parts */
const client = ({ head = '', options = '...options', body = '', members = '', more = '' }) => `
${head}
export default {
  package: 'redis',
  ${more}
  capabilities: ['prompt-close'],
  async connect({ host, port, database }, options, { createClient }) {
    const redis = createClient({ socket: { host, port, reconnectStrategy: false }, database, ${options} });
    redis.on('error', () => {});
    await redis.connect();
    ${body}
    return {
      command: (args) => redis.sendCommand(args),
      close: () => redis.close(),
      destroy: () => redis.destroy(),
      ${members}
    };
  },
};`;

/** @param {string} body of iterate */
const workload = (body) => `export default { async iterate(redis, { key, value }) { ${body} } };`;

/** What a file does wrong: its text, the check that fails, and what that says. @type {Record<string, [string, RegExp, RegExp]>} */
const WRONG = {
  'a client that adds a listener with each command': [
    client({ members: "command: (args) => (redis.on('end', () => {}), redis.sendCommand(args))," }),
    /adds no listener with each command/,
    /11 end listeners added to \[.*\]/,
  ],
  'a client that ignores the options of its variant': [
    client({ options: '', more: 'variants: { tuned: { commandOptions: { timeout: undefined } } },' }),
    /tuned: reads the options of its variant/,
    /options that connect\(\) never read: expected none, got commandOptions/,
  ],
  'a client whose destroy() does nothing': [
    client({ members: 'destroy: () => {},' }),
    /destroy closes at once/,
    /a command afterwards: expected an error, and there was none/,
  ],
  'a workload that does not await its commands': [
    workload('redis.set(key, value); await redis.get(key);'),
    /awaits its commands/,
    /commands in flight when iterate\(\) had ended: expected 0, got 1/,
  ],
  'a workload that swallows errors': [
    workload('try { await redis.get(key); } catch {}'),
    /passes on the errors of its commands/,
    /expected an error, and there was none/,
  ],
  'a workload that opens something as it is loaded': [
    `setInterval(() => {}, 1000); ${workload('await redis.get(key);')}`,
    /opens nothing when it is loaded/,
    /a timer/,
  ],
};

describe('check finds', function () {
  this.timeout(120_000);
  /** @type {string} */
  let folder;
  before(() => {
    folder = mkdtempSync(join(tmpdir(), 'rpb-check-'));
  });
  after(() => rmSync(folder, { recursive: true }));

  for (const [index, [what, [text, title, why]]] of Object.entries(WRONG).entries()) {
    it(what, async () => {
      const file = join(folder, `wrong-${index}.js`);
      writeFileSync(file, text);
      const { checks } = await checkPlugin(file);
      const failed = checks.filter(({ failed }) => failed !== null);
      const found = failed.filter((check) => title.test(check.title));
      assert.ok(found.length > 0, JSON.stringify(failed));
      for (const { failed } of found) assert.match(String(failed), why);
      assert.deepEqual(
        failed.filter((check) => !title.test(check.title)),
        [],
      );
    });
  }
});
