import assert from 'node:assert/strict';
import { chmodSync, mkdtempSync, readdirSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { factText } from '../../src/report/words/fact-words.js';
import { foldServerSamples } from '../../src/results/server-samples.js';
import { openServer } from '../../src/server/open.js';
import { createSampler } from '../../src/server/sampler.js';

/** @import { Server } from '../../src/server/types.js' */

/** Samples of all times. */
const ALWAYS = { fromMs: 0, toMs: Number.MAX_SAFE_INTEGER, cpuUs: 0 };
/** As perf does it: the command after `--` says that sampling has begun. */
const RECORDS = 'while [ "$1" != -- ]; do shift; done; shift; "$@"';

describe('server/sampler', function () {
  this.timeout(20_000);
  /** @type {Server} */
  let server;
  before(async function () {
    if (process.platform !== 'linux') this.skip();
    server = await openServer(null);
  });
  after(() => server?.close());

  const usual = { PATH: process.env.PATH, TMPDIR: tmpdir() };
  /** @type {string} */
  let folder;
  beforeEach(() => {
    folder = mkdtempSync(join(tmpdir(), 'rpb-perf-'));
    // Other tests, beside this one, have their folders where all have them.
    process.env.TMPDIR = folder;
  });
  afterEach(() => {
    Object.assign(process.env, usual);
    rmSync(folder, { recursive: true });
  });

  /** Puts a perf of our own on PATH. @param {string} script of sh; $1 is `record` or `script` */
  function withPerf(script) {
    const file = join(folder, 'perf');
    writeFileSync(file, `#!/bin/sh\n${script}\n`);
    chmodSync(file, 0o755);
    process.env.PATH = `${folder}:${usual.PATH}`;
  }

  /** @param {string} script @param {number} [answersWithinMs] @returns {Promise<string>} why it is refused */
  async function whyNot(script, answersWithinMs) {
    withPerf(script);
    const found = await createSampler(server, answersWithinMs);
    assert.ok('kind' in found);
    return factText(found);
  }

  it('says why perf cannot be used', async () => {
    assert.match(
      await whyNot('echo Error: >&2; echo "Access is limited." >&2; exit 255'),
      /^no profile of the server: perf cannot sample it: Access is limited\. \(kernel\.perf_event_paranoid is -?\d/,
    );
    assert.match(await whyNot('exec sleep 100', 300), /: perf failed: no reply within 0\.3 s$/);
    process.env.PATH = folder;
    rmSync(join(folder, 'perf'));
    assert.deepEqual(await createSampler(server), { kind: 'perf-missing' });
    assert.deepEqual(await createSampler({ ...server, isLocal: false }), { kind: 'server-far' });
    const notOurs = await createSampler({ kind: 'external', isLocal: true, pids: [process.pid] });
    assert.deepEqual(notOurs, { kind: 'server-unseen' });
  });

  it('tells of a perf that fails when it counts, and loses nothing of the work', async () => {
    const fails = [
      { script: 'exit 3', told: 'it failed without a message' },
      { script: '[ "$1" = script ] && { echo no data >&2; exit 1; }', told: 'no data' },
      // Long enough for the shell to record on a busy machine.
      { script: '[ "$1" = script ] && exec sleep 100', withinMs: 2000, told: 'no reply within 2 s' },
    ];
    for (const { script, withinMs, told } of fails) {
      withPerf(RECORDS);
      const sampler = await createSampler(server, withinMs);
      assert.ok(!('kind' in sampler), JSON.stringify(sampler));
      withPerf(`${script}\n${RECORDS}`);
      let worked = 0;
      const sampled = await sampler.sampleDuring(async () => ++worked);
      assert.deepEqual(sampled.failure, { kind: 'perf-failed', why: told });
      assert.equal(worked, script === 'exit 3' ? 0 : 1);
    }
  });

  it('ignores what is no sample, leaves no file, and ends perf when the work fails', async () => {
    withPerf(`[ "$1" = script ] && { echo; echo '1.5: rubbish'; echo '1 2 (3'; exit; }\n${RECORDS}`);
    const sampler = await createSampler(server);
    assert.ok(!('kind' in sampler), JSON.stringify(sampler));
    const sampled = await sampler.sampleDuring(async () => 'done');
    assert.ok(sampled.failure === undefined && sampled.done === 'done');
    assert.equal(foldServerSamples(sampled.text, { binaries: [], ...ALWAYS }).samples, 0);
    const failing = sampler.sampleDuring(async () => {
      throw new Error('of the work');
    });
    await assert.rejects(failing, /of the work/);
    assert.deepEqual(readdirSync(folder), ['perf']);
  });

  it('sees what keeps a server busy, where perf may be used', async function () {
    const sampler = await createSampler(server);
    // Reported as pending: this machine has no perf, or does not let us.
    if ('kind' in sampler) this.skip();
    const sampled = await sampler.sampleDuring(() =>
      server.control.command('EVAL', 'local x = 0 for i = 1, 2e7 do x = x + i end return x', '0'),
    );
    assert.ok(sampled.failure === undefined, sampled.failure?.kind);
    const folded = foldServerSamples(sampled.text, { binaries: sampler.binaries, ...ALWAYS });
    const us = folded.frames.reduce((sum, { self }) => sum + self, 0);
    assert.ok(folded.samples > 50, `${folded.samples} samples`);
    assert.ok(folded.systemShare < 0.3, `${folded.systemShare} in the kernel`);
    // Its own code, or Lua as a library.
    assert.ok(
      folded.frames[0].part !== 'kernel' && folded.frames[0].self > 0.2 * us,
      JSON.stringify(folded.frames[0]),
    );
  });
});
