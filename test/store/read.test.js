import assert from 'node:assert/strict';
import { mkdtemp, rm, truncate, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { readReport, renderReport } from '../../src/cli/render.js';
import { createReport } from '../../src/commands/benchmark/conclude.js';
import { withWords } from '../../src/commands/benchmark/report/words/findings.js';
import { createLines, goodRun, mixedReport } from '../helpers/report-fixture.js';

/** @import { ResultLine } from '../../src/store/types.js' */

/** @param {unknown[]} lines */
const ndjson = (lines) => lines.map((line) => `${JSON.stringify(line)}\n`).join('');

describe('read', () => {
  /** @type {string} */
  let folder;
  /** @type {string} */
  let file;
  /** @type {ResultLine[]} */
  let lines;
  before(async () => {
    folder = await mkdtemp(join(tmpdir(), 'rpb-read-'));
    file = join(folder, 'result.ndjson');
    lines = await createLines({
      given: { clients: 'redis', scenarios: 'pool,shared-connection', runs: 3 },
      measured: ({ tasks }) => ({
        iterations: 10,
        runs: [1, 2, 3].map((round) => goodRun(round, { tasks, iterations: 10, averageMs: 10 + round })),
      }),
    });
  });
  after(() => rm(folder, { recursive: true }));

  /** @param {string} text */
  async function read(text) {
    await writeFile(file, text);
    return readReport(file);
  }

  /** @param {string} text @param {RegExp} message */
  async function refused(text, message) {
    await assert.rejects(read(text), (error) => {
      assert.equal(/** @type {Error} */ (error).name, 'UsageError');
      assert.ok(/** @type {Error} */ (error).message.includes(file), 'names the file');
      assert.match(/** @type {Error} */ (error).message, message);
      return true;
    });
  }

  it('gives the report that the benchmark gave', async () => {
    const [header, ...rest] = lines;
    const end = rest.pop();
    assert.deepEqual(
      await read(ndjson(lines)),
      withWords(
        createReport(/** @type {any} */ (header), /** @type {any} */ (rest), /** @type {any} */ (end)),
      ),
    );
  });

  it('minds no byte order mark', async () => {
    const report = await read(ndjson(lines));
    assert.deepEqual(await read(`\uFEFF${ndjson(lines)}`), report);
  });

  describe('a torn end', () => {
    it('is reported, and all whole lines are there, wherever it was torn', async () => {
      const text = ndjson(lines);
      const headEnd = text.indexOf('\n') + 1;
      const whole = (/** @type {number} */ length) =>
        [...text.slice(0, length).matchAll(/^\{"type":"run".*\n/gm)].length;
      const places = [
        headEnd,
        headEnd + 10,
        ...[0.3, 0.5, 0.7, 0.9].map((part) => Math.floor(headEnd + (text.length - headEnd) * part)),
        text.length - 2,
      ];
      for (const length of places) {
        await writeFile(file, text);
        await truncate(file, length);
        const report = await readReport(file);
        assert.equal(report.partial, true);
        assert.equal(report.cells.flatMap(({ runs }) => runs).length, whole(length));
        const torn = text[length - 1] !== '\n';
        assert.match(report.warnings.join(), torn ? /last line .* torn/ : /no closing line/);
        assert.match(report.warnings.join(), new RegExp(`it has ${whole(length)} complete runs?`));
      }
    });
    it('in the header leaves nothing to report', async () => {
      await refused(ndjson(lines).slice(0, 500), /cut off/);
    });
    it('without its last line feed is whole', async () => {
      const { partial, warnings } = await read(ndjson(lines).trimEnd());
      assert.equal(partial, false);
      assert.doesNotMatch(warnings.join(), /torn|closing line/);
    });
  });

  describe('refuses', () => {
    it('a file that is not there, and a folder', async () => {
      await assert.rejects(readReport('/no/such/file'), { name: 'UsageError', message: /does not exist/ });
      await assert.rejects(readReport(tmpdir()), { name: 'UsageError', message: /is a folder/ });
    });
    it('an empty one', () => refused('', /is empty/));
    for (const [what, text] of Object.entries({
      text: 'hello\nworld\n',
      'JSON of another tool': '{"requests":{"average":1}}',
      'JSON that is no object': '[1,2]',
      null: 'null',
      'lines of another tool': '{"a":1}\n{"a":2}\n',
      'what is no text at all': String.fromCharCode(...Array(3000).keys()),
    }))
      it(what, () => refused(text, /does not begin with the header of a saved result/));
    it('a report of --format json', async () =>
      refused(await renderReport(await mixedReport(), 'json'), /a benchmark saves one with --save FILE/));

    /** @param {(lines: any[]) => void} change */
    const changed = (change) => {
      const copy = structuredClone(lines);
      change(copy);
      return ndjson(copy);
    };
    it('a newer version, and says to update', () =>
      refused(
        changed((all) => {
          all[0].schemaVersion = 3;
        }),
        /schemaVersion 3.*knows 2.*update/,
      ));
    it('an older version, and says which release wrote it', () =>
      refused(
        changed((all) => {
          all[0].schemaVersion = 1;
        }),
        /has schemaVersion 1 of redis-pipe-bench 0\.1\.0, and this release reads 2 only; measure again/,
      ));
    it('a version that is none', () =>
      refused(
        changed((all) => {
          all[0].schemaVersion = 'x';
        }),
        /schemaVersion "x"/,
      ));
    it('a run without what a run has', () =>
      refused(
        changed((all) => {
          delete all[2].run.operations;
        }),
        /damaged: line 3: run\.operations is missing/,
      ));
    it('a run with text for a number', () =>
      refused(
        changed((all) => {
          all[2].run.averageMs = '1';
        }),
        /line 3: run\.averageMs: expected a number/,
      ));
    it('a fact whose list is none, of which no sentence could be made', () =>
      refused(
        changed((all) => {
          all.at(-1).warningFacts = [{ kind: 'replay-lacks', file: 'a', leftOut: [{ reason: 'blocks' }] }];
        }),
        /warningFacts\.0\.leftOut\.0\.commands is missing/,
      ));
    it('a line of no kind', () =>
      refused(
        changed((all) => {
          all[3].type = 'constructor';
        }),
        /line 4: expected a type/,
      ));
    it('damage in the middle', async () => {
      const texts = ndjson(lines).split('\n');
      texts[2] = texts[2].slice(0, 100);
      await refused(texts.join('\n'), /line 3 is not JSON/);
    });
    it('a second header, and lines after the end', async () => {
      await refused(
        changed((all) => {
          all.splice(2, 0, all[0]);
        }),
        /second header in line 3/,
      );
      await refused(
        changed((all) => {
          all.push(all[2]);
        }),
        /after its end/,
      );
    });
    it('a histogram that is none', async () => {
      const latency = { count: 1, minUs: 1, meanUs: 1, p50Us: 1, p90Us: 1, p99Us: 1, p999Us: 1, maxUs: 1 };
      for (const hdr of ['HISTFAAA', 'HISTF', `HISTFAAAAAAA${'A'.repeat(5000)}`]) {
        await refused(
          changed((all) => {
            all[2].run.latency = { ...latency, hdr };
          }),
          /cannot be read|damaged/,
        );
      }
    });
    it('a gigabyte, without reading it', async () => {
      await writeFile(file, ndjson(lines));
      await truncate(file, 2 ** 30);
      const before = process.memoryUsage().rss;
      await assert.rejects(readReport(file), {
        name: 'UsageError',
        message: /too large .*1024 MB; at most 512 MB/,
      });
      assert.ok(process.memoryUsage().rss - before < 50e6);
    });
    it('what is nested more deeply than a result ever is', async () => {
      const deep = 'DEEP';
      const nested = (/** @type {string} */ text) =>
        text.replace('"DEEP"', `${'['.repeat(9000)}${']'.repeat(9000)}`);
      for (const type of ['header', 'planned', 'cell', 'run']) {
        const damaged = /** @type {any[]} */ (structuredClone(lines));
        const line = damaged.find((each) => each.type === type);
        if (type === 'planned') damaged.splice(1, 0, { type, cell: { ...damaged[0].cells[0], deep } });
        else if (type === 'cell') line.effectiveOptions = { deep };
        else (line.run ?? line.environment).deep = deep;
        await refused(nested(ndjson(damaged)), /damaged: line \d+/);
      }
    });
    it('a run that is there twice', async () => {
      const run = lines.findIndex(({ type }) => type === 'run');
      await refused(
        ndjson([...lines.slice(0, run + 1), ...lines.slice(run)]),
        new RegExp(`damaged: line ${run + 2} repeats a run`),
      );
    });
    it('a device, which never ends', () =>
      assert.rejects(readReport('/dev/urandom'), {
        name: 'UsageError',
        message: /'\/dev\/urandom' (is a device|.*too large)/,
      }));
    it('a line without end', async () => {
      await writeFile(file, '');
      await truncate(file, 100 * 2 ** 20);
      await assert.rejects(readReport(file), { name: 'UsageError', message: /a line of more than 16 MB/ });
    });
  });

  it('takes names from a file for names, whatever they are', async () => {
    const text = ndjson(lines).replaceAll('"errors":{}', '"errors":{"__proto__":1,"constructor":2}');
    const report = await read(text);
    assert.equal(/** @type {any} */ ({}).constructor, Object);
    assert.deepEqual(Object.keys(report.cells[0].runs[0].errors), ['__proto__', 'constructor']);
    const [header, ...rest] = structuredClone(lines);
    /** @type {any} */ (header).cells[0].id = '__proto__';
    for (const line of /** @type {any[]} */ (rest))
      if (line.cell === report.cells[0].id) line.cell = '__proto__';
    const renamed = await read(ndjson([header, ...rest]));
    assert.equal(renamed.cells[0].runs.length, 3);
    assert.equal(/** @type {any} */ ({}).runs, undefined);
  });
});
