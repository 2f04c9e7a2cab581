import Mocha from 'mocha';
import { BUSY } from './machine-busy.js';

const { Base, Spec } = Mocha.reporters;

/**
 * Mocha's own reporter without the closing line, which test/helpers/run.js prints for all parts together.
 */
export default class PartReporter extends Spec {
  #busy = 0;

  /** @param {Mocha.Runner} runner @param {Mocha.MochaOptions} [options] */
  constructor(runner, options) {
    super(runner, options);
    runner.on('pending', (test) => {
      if (test.title.endsWith(BUSY)) this.#busy++;
    });
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
    process.send?.({ passes, pending, failures, busy: this.#busy }, () => end?.(failures));
  }
}
