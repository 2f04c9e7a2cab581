import raw from '../../../../src/plugins/clients/raw.js';

/** How a fresh process goes wrong before it has a reply. @type {Record<string, () => unknown>} */
const WRONGS = {
  refuses: () => Promise.reject(new Error('refused on purpose')),
  silent: () => new Promise(() => setInterval(() => {}, 1000)),
  exits: () => process.exit(7),
  killed: () => process.kill(process.pid, 'SIGKILL') && new Promise(() => {}),
  throws: () => new Promise(() => setTimeout(() => throwOne('thrown on purpose'))),
  hangs() {
    // As one that computes for ever, and costs no CPU.
    Atomics.wait(new Int32Array(new SharedArrayBuffer(4)), 0, 0);
  },
};

/** A client with which a fresh process does not get far, or does not end. */
export default {
  id: 'stubborn',
  title: 'a client of the tests',
  package: null,
  variants: {
    default: {},
    lingers: { lingers: true },
    ...Object.fromEntries(Object.keys(WRONGS).map((name) => [name, { wrong: name }])),
  },
  capabilities: new Set(['unix', 'prompt-close']),

  /**
   * @param {any} target
   * @param {Record<string, any>} options
   */
  async connect(target, { wrong, lingers }) {
    process.stdout.write('what a library prints is no result\n');
    if (wrong !== undefined) await WRONGS[wrong]();
    if (lingers) setInterval(() => {}, 1000);
    return raw.connect(target);
  },
};

/** @param {string} message */
function throwOne(message) {
  throw new Error(message);
}
