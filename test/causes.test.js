import assert from 'node:assert/strict';
import { CAUSES, nameOfCause, withAdvice } from '../src/causes.js';

describe('causes', () => {
  it('have each a name of their own, a meaning and a remedy', () => {
    assert.equal(new Set(CAUSES.map(({ name }) => name)).size, CAUSES.length);
    for (const { meaning, remedy } of CAUSES) assert.ok(meaning.length > 10 && remedy.length > 10);
  });

  it('names a remedy once, however often it is asked for', () => {
    const told = withAdvice('OOM command not allowed');
    assert.equal(withAdvice(`operations failed: ${told}`), `operations failed: ${told}`);
  });

  // As servers, clients and systems write them.
  for (const [text, name] of [
    ['ERR max number of clients reached', 'max clients'],
    ["OOM command not allowed when used memory > 'maxmemory'.", 'OOM'],
    ["READONLY You can't write against a read only replica.", 'READONLY'],
    ['a message was lost: it had not arrived after 5 s', 'message lost'],
    ['LOADING Redis is loading the dataset in memory', 'LOADING'],
    ['NOAUTH Authentication required.', 'NOAUTH'],
    ['WRONGPASS invalid username-password pair or user is disabled.', 'WRONGPASS'],
    ['ERR AUTH <password> called without any password configured for the default user.', 'no password'],
    ["NOPERM this user has no permissions to run the 'set' command", 'NOPERM'],
    ['MISCONF Redis is configured to save RDB snapshots, but it is unable to persist to disk', 'MISCONF'],
    ['BUSY Redis is busy running a script. You can only call SCRIPT KILL', 'BUSY'],
    ['CLUSTERDOWN Hash slot not served', 'CLUSTERDOWN'],
    ['the cluster is down, or none of its nodes answers', 'CLUSTERDOWN'],
    ['connect EADDRNOTAVAIL 127.0.0.1:6379 - Local (127.0.0.1:40001)', 'EADDRNOTAVAIL'],
    ['connect EMFILE 127.0.0.1:6379', 'EMFILE'],
    ['connect ECONNREFUSED 127.0.0.1:6379', 'ECONNREFUSED'],
    ['read ECONNRESET', 'connection lost'],
    ['write EPIPE', 'connection lost'],
    ['Socket closed unexpectedly', 'connection lost'],
    ['Connection is closed.', 'connection lost'],
    ['The client is closed', 'connection lost'],
    ['the connection was closed', 'connection lost'],
    ['connect ETIMEDOUT', 'timeout'],
    ['Command timed out', 'timeout'],
    ['The operation was aborted due to timeout', 'timeout'],
  ]) {
    it(`${text}: ${name}`, () => {
      assert.equal(nameOfCause(text), name);
      assert.ok(withAdvice(text).startsWith(`${text} (`));
    });
  }

  it('of what nobody knows is its code, else its text, unchanged', () => {
    assert.equal(
      nameOfCause('WRONGTYPE Operation against a key holding the wrong kind of value'),
      'WRONGTYPE',
    );
    assert.equal(nameOfCause('something new'), 'something new');
    assert.equal(withAdvice('something new'), 'something new');
  });
});
