import assert from 'node:assert/strict';
import { mkdtempSync, rmSync, symlinkSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { parseAllowed, refusals } from '../../src/agents/permissions.js';

const WANTS = {
  targets: ['target:6379', 'other:6380'],
  pluginFolders: ['/srv/plugins'],
  releases: ['redis@5.8.0'],
  nodeBins: ['/opt/node'],
  profiles: [import.meta.filename],
  processes: 1,
};

describe('what an agent may do', () => {
  it('is nothing by default', () => {
    assert.equal(refusals(WANTS, parseAllowed([])).length, 6);
  });

  it('is what --allow names, servers by host and port', () => {
    const given = ['redis://user:secret@target:6379/3', 'rediss://other:6380', 'plugins'];
    const allowed = parseAllowed([...given, `profile:${import.meta.dirname}`]);
    assert.deepEqual(refusals(WANTS, allowed), [
      'redis@5.8.0 (--allow releases)',
      'the Node binary /opt/node (--allow node-bin)',
    ]);
    assert.deepEqual([allowed.targets, allowed.onlyTls], [['target:6379', 'other:6380'], ['other:6380']]);
  });

  it('is any server with any-target', () => {
    const left = refusals({ ...WANTS, profiles: [] }, parseAllowed(['any-target', 'releases', 'node-bin']));
    assert.deepEqual(left, ['plugins of /srv/plugins (--allow plugins)']);
  });

  it('is to read profiles of one folder, wherever a link leads', () => {
    const folder = mkdtempSync(join(tmpdir(), 'rpb-allowed-'));
    const link = join(folder, 'link');
    symlinkSync(import.meta.filename, link);
    const allowed = parseAllowed(['any-target', `profile:${folder}`]);
    const none = { targets: [], pluginFolders: [], releases: [], nodeBins: [], processes: 1 };
    assert.deepEqual(refusals({ ...none, profiles: [folder] }, allowed), []);
    for (const file of [link, join(folder, '..'), join(folder, 'none')])
      assert.deepEqual(refusals({ ...none, profiles: [file] }, allowed), [
        `the profile ${file} (--allow profile:FOLDER)`,
      ]);
    rmSync(folder, { recursive: true });
  });

  it('has to be known', () => {
    assert.throws(() => parseAllowed(['everything']), /--allow: expected .* got 'everything'/);
  });
});
