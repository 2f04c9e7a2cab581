import raw from '../../../../src/plugins/clients/raw.js';
import { deceive } from '../../deceive.js';

/** Of each hundred operations, by the last two digits of their number. */
const DECEITS = { lost: 3, doubled: 5, delayed: 7, failedThoughDone: 11, failed: 13, unanswered: 17 };
/** Where the client of a variant breaks down, or soon after, once something was reported as acknowledged. */
const BREAKS_AT = 150;
/** A worker reports every 50 ms, before it sends what is due, and what it has not reported is lost with it. */
const REPORTED_AFTER_MS = 60;

/** @type {Record<string, () => void>} how */
const BREAKDOWNS = {
  throws: () => void setTimeout(() => throwOne('thrown on purpose')),
  rejects: () => void Promise.reject(new Error('rejected on purpose')),
  exits: () => process.exit(7),
  hangs() {
    // As one that computes for ever, and costs no CPU.
    Atomics.wait(new Int32Array(new SharedArrayBuffer(4)), 0, 0);
  },
};

/**
 * Loses, doubles and delays operations on purpose, so that the counting can be tested: each must be found exactly.
 */
export default {
  id: 'deceiver',
  title: 'a client of the tests',
  package: null,
  variants: {
    default: {},
    absent: { absent: true },
    ...Object.fromEntries(Object.keys(BREAKDOWNS).map((name) => [name, { breakdown: name }])),
  },
  capabilities: new Set(['unix', 'prompt-close', 'recovery']),

  /**
   * @param {any} target
   * @param {Record<string, any>} options
   */
  async connect(target, { breakdown, absent }) {
    const connection = await raw.connect(target);
    // A connection that nothing can cut, because there is none.
    if (absent) connection.destroy();
    const send = connection.command.bind(connection);
    connection.ping = async () => 'PONG';
    let answeredAtMs = Number.POSITIVE_INFINITY;
    const isReported = () => performance.now() - answeredAtMs > REPORTED_AFTER_MS;
    connection.command = (args) => {
      if (absent) return Promise.resolve(args[2].length);
      if (breakdown === undefined) return deceive(DECEITS, args[2], () => send(args), args[2].length);
      if (Number.parseInt(args[2], 10) >= BREAKS_AT && isReported()) BREAKDOWNS[breakdown]();
      return send(args).finally(() => {
        answeredAtMs = Math.min(answeredAtMs, performance.now());
      });
    };
    return connection;
  },
};

/** @param {string} message */
function throwOne(message) {
  throw new Error(message);
}
