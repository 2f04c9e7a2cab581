/**
 * The targets of faults: how punctually they strike, whether every acknowledged operation is accounted for, and whether two
 * suites in a row name the same order of recovery. By hand:
 *
 *   node test/performance/faults.js accounted 25    so many runs each of cut and restart:data, of redis and ioredis
 *   node test/performance/faults.js order           a small suite twice
 */
import { benchmark } from '../../src/index.js';

/** @import { Report } from '../../src/results/types.js' */

/** Medians closer than this need not come in the same order. */
const APART = 1.5;

/** @param {Report} report */
const runsOf = ({ cells }) =>
  cells.flatMap(({ client, variant, fault, runs }) =>
    runs.map((run) => ({ name: `${client}:${variant}`, kind: String(fault?.name), run })),
  );

const parts = {
  /** Acknowledged operations that are neither in the data nor known to have gone with it, and how late faults struck. */
  async accounted(count = '25') {
    const report = await benchmark({
      clients: ['redis', 'ioredis'],
      fault: ['cut', 'restart:data:100ms'],
      runs: Math.ceil(Number(count) / 2),
      durationMs: 600,
    });
    for (const kind of ['cut', 'restart:data:100ms']) {
      const own = runsOf(report).filter((each) => each.kind === kind);
      const late = own.map(({ run }) => run.fault?.struckLateMs ?? Number.NaN);
      const accounted = own.filter(({ run: { failed, fault } }) => failed === null && fault?.lost === 0);
      console.log(
        `${kind}: ${accounted.length} of ${own.length} runs accounted for, ` +
          `${own.reduce((sum, { run }) => sum + Number(run.fault?.acknowledged), 0)} acknowledged, ` +
          `struck ${Math.max(...late).toFixed(1)} ms late at most`,
      );
      for (const { run } of own) if (run.failed !== null) console.log(`  failed: ${run.failed}`);
    }
  },

  /** Pairs of cells whose recovery differs by more than a half in both suites, and in which order. */
  async order() {
    const suites = [];
    for (let round = 0; round < 2; round++) {
      suites.push(
        await benchmark({
          clients: ['redis', 'redis:careful', 'ioredis', 'ioredis:careful', 'valkey-glide'],
          fault: ['restart', 'failover'],
          durationMs: 4500,
          faultAtMs: 1000,
        }),
      );
    }
    const [first, second] = suites.map(
      (report) =>
        new Map(runsOf(report).map(({ name, kind, run }) => [`${kind} ${name}`, run.fault?.heldAgainMs])),
    );
    console.table([...first].map(([name, ms]) => ({ name, first: ms, second: second.get(name) })));
    const names = [...first.keys()];
    const pairs = names.flatMap((one, place) => names.slice(place + 1).map((other) => [one, other]));
    const ratios = pairs
      .filter(([one, other]) => one.split(' ')[0] === other.split(' ')[0])
      .map(([one, other]) =>
        [first, second].map((suite) => Number(suite.get(one)) / Number(suite.get(other))),
      );
    const clear = ratios.filter(([ratio]) => Math.max(ratio, 1 / ratio) >= APART);
    const same = clear.filter(([one, other]) => one > 1 === other > 1);
    console.log(
      `${same.length} of ${clear.length} pairs that differ ${APART} times or more came in the same order`,
    );
  },
};

const [part = 'accounted', count] = process.argv.slice(2);
await parts[/** @type {keyof typeof parts} */ (part)](count);
