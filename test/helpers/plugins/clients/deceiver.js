import raw from '../../../../src/plugins/clients/raw.js';

/** Of each hundred operations, by the last two digits of their number. */
const DECEITS = { lost: 3, doubled: 5, delayed: 7, failedThoughDone: 11, failed: 13, unanswered: 17 };
export const DELAY_MS = 150;
/** Where the client of a variant breaks down, or soon after, once something was acknowledged. */
const BREAKS_AT = 150;

/** @type {Record<string, () => void>} how */
const BREAKDOWNS = {
  throws: () => void setTimeout(() => throwOne('thrown on purpose')),
  rejects: () => void Promise.reject(new Error('rejected on purpose')),
  exits: () => process.exit(7),
  hangs() {
    for (;;);
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
    let answered = 0;
    connection.command = (args) => {
      if (absent) return Promise.resolve(args[2].length);
      const number = Number.parseInt(args[2], 10);
      if (breakdown === undefined) return deceive(number % 100, () => send(args), args);
      if (number >= BREAKS_AT && answered > 0) BREAKDOWNS[breakdown]();
      return send(args).finally(() => answered++);
    };
    return connection;
  },
};

/**
 * @param {number} digits
 * @param {() => Promise<unknown>} send
 * @param {string[]} args
 */
async function deceive(digits, send, args) {
  switch (digits) {
    case DECEITS.lost:
      return args[2].length;
    case DECEITS.doubled:
      await send();
      return send();
    case DECEITS.delayed:
      await new Promise((resolve) => setTimeout(resolve, DELAY_MS));
      return send();
    case DECEITS.failedThoughDone:
      await send();
      throw new Error('ECONNRESET on purpose');
    case DECEITS.failed:
      throw new Error('ECONNRESET on purpose');
    case DECEITS.unanswered:
      return new Promise(() => {});
    default:
      return send();
  }
}

/** @param {string} message */
function throwOne(message) {
  throw new Error(message);
}
