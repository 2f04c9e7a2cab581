import assert from 'node:assert/strict';
import { parseAllowed, refusals } from '../../src/agents/permissions.js';

const WANTS = {
  targets: ['target:6379', 'other:6380'],
  pluginFolders: ['/srv/plugins'],
  releases: ['redis@5.8.0'],
  nodeBins: ['/opt/node'],
};

describe('what an agent may do', () => {
  it('is nothing by default', () => {
    assert.equal(refusals(WANTS, parseAllowed([])).length, 5);
  });

  it('is what --allow names, servers by host and port', () => {
    const allowed = parseAllowed(['redis://user:secret@target:6379/3', 'rediss://other:6380', 'plugins']);
    assert.deepEqual(refusals(WANTS, allowed), [
      'redis@5.8.0 (--allow releases)',
      'the Node binary /opt/node (--allow node-bin)',
    ]);
    assert.deepEqual(allowed.targets, ['target:6379', 'other:6380']);
  });

  it('is any server with any-target', () => {
    const left = refusals(WANTS, parseAllowed(['any-target', 'releases', 'node-bin']));
    assert.deepEqual(left, ['plugins of /srv/plugins (--allow plugins)']);
  });

  it('has to be known', () => {
    assert.throws(() => parseAllowed(['everything']), /--allow: expected .* got 'everything'/);
  });
});
