import assert from 'node:assert/strict';
import { repliedByNumber, storedByNumber } from '../../../src/plugins/shared/sized-commands.js';

describe('plugins/shared/sized-commands', () => {
  for (const [command, least, most] of /** @type {[string, number, number][]} */ ([
    ['SETBIT k 400000000 1', 50e6, 50e6],
    ['setrange k 1000 xx', 1002, 1002],
    // A type of 8 bits at the place of 50,000,000 such, or of as many bits.
    ['BITFIELD k SET u8 #50000000 1', 50e6, 50.1e6],
    ['BITFIELD k GET u8 #1000 SET u8 50000000 1', 6.2e6, 6.3e6],
    ['BITFIELD k OVERFLOW FAIL INCRBY i64 #1000000 1', 8e6, 8.1e6],
    ['BF.RESERVE k 0.001 100000000', 150e6, 400e6],
    ['BF.INSERT k CAPACITY 100000000 ITEMS a', 100e6, 400e6],
    ['CF.RESERVE k 100000000', 200e6, 1e9],
    ['CMS.INITBYDIM k 1000000 10', 40e6, 80e6],
    ['CMS.INITBYPROB k 0.0000001 0.01', 500e6, 2e9],
    ['TOPK.RESERVE k 10 1000000 7 0.9', 50e6, 200e6],
    ['TDIGEST.CREATE k COMPRESSION 1000000', 90e6, 200e6],
    ['SET k 400000000', 0, 0],
    ['SETBIT k', 0, 0],
    ['SETBIT k -5 1', 0, 0],
  ]))
    it(`knows what ${command} allocates`, () => {
      const bytes = storedByNumber(command.split(' '));
      assert.ok(bytes >= least && bytes <= most, `${bytes}`);
    });

  it('knows how long a reply is whose members come again', () => {
    assert.equal(repliedByNumber(['SRANDMEMBER', 'k', '-1000'], 68), 100_000);
    assert.equal(repliedByNumber(['HRANDFIELD', 'k', '1000'], 68), 0);
    assert.equal(repliedByNumber(['GET', 'k'], 68), 0);
  });
});
