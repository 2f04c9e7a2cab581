import assert from 'node:assert/strict';
import { togetherText } from '../../../src/commands/messages/report.js';

describe('the note on processes of messages', () => {
  for (const [workloads, expected] of /** @type {[string[], RegExp | null][]} */ ([
    [['queue', 'stream'], /share a process; with :apart/],
    [['queue', 'queue:apart'], /share a process, except with :apart/],
    [['queue:apart', 'publish:3:apart', 'publish:apart'], null],
  ])) {
    it(`is of those that ran: ${workloads.join(', ')}`, () => {
      const text = togetherText(workloads.map((workload) => ({ workload })));
      if (expected === null) assert.equal(text, false);
      else assert.match(`${text}`, expected);
    });
  }
});
