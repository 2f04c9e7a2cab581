import assert from 'node:assert/strict';
import { mkdtempSync, rmSync, symlinkSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { confinementOf, parseAllowed, refusals, serverAt } from '../../../src/commands/agents/permissions.js';

/** @import { Place, Wants } from '../../../src/commands/agents/types.js' */
/** @import { Target } from '../../../src/server/types.js' */

/** @type {Wants} */
const WANTS = {
  targets: [
    { transport: 'tcp', at: 'target:6379' },
    { transport: 'tls', at: 'other:6380' },
  ],
  pluginFolders: ['/srv/plugins'],
  releases: ['redis@5.8.0'],
  nodeBins: ['/opt/node'],
  profiles: [import.meta.filename],
  scripts: ['EVAL'],
};
const NOTHING = { targets: [], pluginFolders: [], releases: [], nodeBins: [], profiles: [], scripts: [] };
const OWN = { REDIS_USERNAME: 'bench', REDIS_PASSWORD: 'own' };

describe('what an agent may do', () => {
  it('is nothing by default', () => {
    assert.equal(refusals(WANTS, parseAllowed([])).length, 7);
  });

  it('is what --allow names, servers by host and port', () => {
    const given = ['redis://user:secret@target:6379', 'rediss://other:6380', 'plugins'];
    const allowed = parseAllowed([...given, `profile:${import.meta.dirname}`]);
    assert.deepEqual(refusals(WANTS, allowed), [
      'redis@5.8.0 (--allow releases)',
      'the Node binary /opt/node (--allow node-bin)',
      'EVAL, which may reach foreign keys (--allow scripts)',
    ]);
    const { addresses, onlyTls } = confinementOf({ transport: 'tcp' }, allowed);
    assert.deepEqual([addresses, onlyTls], [['target:6379', 'other:6380'], ['other:6380']]);
  });

  it('is to use a server as its owner named it: by TLS or not, and that database', () => {
    const allowed = parseAllowed(['redis://target:6379/3', 'rediss://other:6380'], OWN);
    /** @type {[place: Place, found: string][]} */
    const cases = [
      [{ transport: 'tls', at: 'target:6379', database: 3 }, 'target:6379 by TLS'],
      [{ transport: 'tcp', at: 'other:6380' }, 'other:6380 without TLS'],
      [{ transport: 'tcp', at: 'target:6379' }, 'database 0 of target:6379 (--allow redis://target:6379/0)'],
      [
        { transport: 'tcp', at: 'target:6379@third' },
        'the server target:6379@third (--allow redis://target:6379@third)',
      ],
      [{ transport: 'unix', at: '/run/redis' }, 'the server /run/redis (--allow unix:///run/redis)'],
      [
        { transport: 'tls', at: 'other:6380', nodes: ['other:6380', 'third:6380'] },
        'the server third:6380 (--allow rediss://third:6380)',
      ],
    ];
    for (const [place, found] of cases) assert.equal(serverAt(place, allowed), found);
    const found = /** @type {Target} */ (serverAt({ transport: 'tls', at: 'other:6380' }, allowed));
    assert.deepEqual(
      [found.host, found.port, found.username, found.password, found.tls],
      ['other', 6380, 'bench', 'own', { rejectUnauthorized: true }],
    );
  });

  it('is any server with any-target, but then with no password', () => {
    const allowed = parseAllowed(
      ['any-target', 'releases', 'node-bin', 'scripts', 'redis://:pw@target:6379'],
      OWN,
    );
    assert.deepEqual(refusals({ ...WANTS, profiles: [] }, allowed), [
      'plugins of /srv/plugins (--allow plugins)',
    ]);
    for (const place of WANTS.targets)
      assert.equal(/** @type {Target} */ (serverAt(place, allowed)).password, undefined);
    for (const at of ['user:pw@target:6379', 'target:6379?x', 'target:6379#@other', 'target', ''])
      assert.equal(typeof serverAt({ transport: 'tcp', at }, allowed), 'string', at);
  });

  it('is to read profiles of one folder, wherever a link leads', () => {
    const folder = mkdtempSync(join(tmpdir(), 'rpb-allowed-'));
    const link = join(folder, 'link');
    symlinkSync(import.meta.filename, link);
    const allowed = parseAllowed(['any-target', `profile:${folder}`]);
    assert.deepEqual(refusals({ ...NOTHING, profiles: [folder] }, allowed), []);
    for (const file of [link, join(folder, '..'), join(folder, 'none')])
      assert.deepEqual(refusals({ ...NOTHING, profiles: [file] }, allowed), [
        `the profile ${file} (--allow profile:FOLDER)`,
      ]);
    rmSync(folder, { recursive: true });
  });

  it('has to be known', () => {
    assert.throws(() => parseAllowed(['everything']), /--allow: expected .* got 'everything'/);
  });
});
