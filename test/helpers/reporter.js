import { writeFileSync } from 'node:fs';
import { relative } from 'node:path';
import Mocha from 'mocha';
import { BUSY } from './machine-busy.js';

const { Base, Spec } = Mocha.reporters;

/**
 * Mocha's own reporter without the closing lines, which test/helpers/run.js prints for all parts together: it writes
 * what they say to the file that COUNTS_FILE names.
 */
export default class PartReporter extends Spec {
  #busy = 0;
  /** Milliseconds of tests and hooks, by file. @type {Record<string, number>} */
  #files = {};

  /** @param {Mocha.Runner} runner @param {Mocha.MochaOptions} [options] */
  constructor(runner, options) {
    super(runner, options);
    runner.on('pending', (test) => {
      if (test.title.endsWith(BUSY)) this.#busy++;
    });
    for (const event of ['test end', 'hook end']) {
      runner.on(event, (/** @type {Mocha.Runnable} */ { file, duration = 0 }) => {
        if (!file) return;
        const name = relative(process.cwd(), file);
        this.#files[name] = (this.#files[name] ?? 0) + duration;
      });
    }
  }

  /** @override */
  epilogue() {
    if (this.failures.length > 0) Base.list(this.failures);
  }

  /**
   * @override
   * @param {number} failures
   * @param {(failures: number) => void} [end]
   */
  done(failures, end) {
    const { passes, pending } = this.stats;
    const counts = { passes, pending, failures, busy: this.#busy, files: this.#files };
    writeFileSync(String(process.env.COUNTS_FILE), JSON.stringify(counts));
    end?.(failures);
  }
}
