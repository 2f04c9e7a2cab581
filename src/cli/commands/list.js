import { ENCODED } from '../../axes/sending.js';
import { FAULTS } from '../../commands/break/options.js';
import { gridLines, gridOf } from '../../report/grid.js';
import { METRICS } from '../../store/metrics.js';
import { Argument } from '../options.js';

/** @import { Metric } from '../../store/types.js' */
/** @import { Catalogue, ClientPlugin } from '../../plugins/types.js' */
/** @import { CommandPart } from '../types.js' */

/** The option that takes each kind. @type {Record<string, string>} */
const KINDS = {
  clients: '--clients',
  scenarios: '--scenarios',
  workloads: '--workload',
  ways: '--way',
  pipelining: '--pipelining',
  faults: 'break FAULT',
  encodings: '--encode',
  suites: '--suite',
  formats: '--format',
  metrics: '--assert, --metric',
};

/** @type {CommandPart} */
export const list = {
  define: (command) =>
    void command.addArgument(new Argument('[kind]', 'what each of a kind is').choices(Object.keys(KINDS))),

  async run(_options, { stdout, pluginFolders }, kind) {
    const { loadCatalogue } = await import('../../options/catalogue.js');
    const rows = rowsOf(await loadCatalogue(pluginFolders));
    const [title, shown, more] =
      kind === undefined
        ? [
            'kind: its option',
            namesIn(rows),
            ["'redis-pipe-bench list clients' says what each client is, and so for each kind."],
          ]
        : [kind, rows[kind], []];
    const grid = gridOf(shown, ([name]) => ({ name }), [
      { title: '', align: 'left', text: ([, text]) => text },
    ]);
    stdout.lines([...gridLines({ ...grid, names: { title } }, { width: stdout.columns ?? 100 }), ...more]);
  },
};

/** @typedef {Record<string, [name: string, text: string][]>} Rows what there is of each kind, and what each is */

/** @param {Catalogue} catalogue @returns {Rows} */
const rowsOf = ({ clients, packages, ...plugins }) => ({
  clients: [...clients.values()].flatMap((client) => clientLines(client, packages)),
  scenarios: summaries(plugins.scenarios),
  workloads: summaries(plugins.workloads),
  ways: summaries(plugins.ways),
  pipelining: summaries(plugins.pipelining),
  faults: Object.entries(FAULTS).map(([kind, { meaning }]) => [kind, meaning]),
  encodings: Object.entries(ENCODED),
  suites: summaries(plugins.suites),
  formats: summaries(plugins.formats),
  metrics: METRICS.map(metricLine),
});

/** More than these are not read in passing. */
const MOST_NAMES = 20;

/** @param {Rows} rows @returns {[string, string][]} */
const namesIn = (rows) =>
  Object.entries(rows).map(([kind, all]) => {
    const more = all.length > MOST_NAMES ? [`… ${all.length - MOST_NAMES} more`] : [];
    const names = [...all.slice(0, MOST_NAMES).map(([name]) => name), ...more];
    return [`${kind}: ${KINDS[kind]}`, names.join(', ')];
  });

/** @param {Map<string, {id: string, summary: string}>} plugins @returns {[string, string][]} */
const summaries = (plugins) => [...plugins.values()].map(({ id, summary }) => [id, summary]);

/** @param {Metric} metric @returns {[string, string]} */
const metricLine = ({ id, aliases = [], meaning, unit, better }) => [
  id,
  [
    `${meaning} (${unit})`,
    ...(better === null ? [] : [`${better} is better`]),
    ...(aliases.length > 0 ? [`also ${aliases.join(', ')}`] : []),
  ].join('; '),
];

/** @param {ClientPlugin} client @param {Record<string, string>} packages @returns {[string, string][]} */
function clientLines({ id, title, package: name, releases, variants }, packages) {
  const version = name === null ? '' : (packages[name] ?? `not installed: npm install ${name}`);
  return Object.entries(variants).map(([variant, options]) =>
    variant === 'default'
      ? [
          id,
          [`${title} ${version}`.trim(), ...(releases ? [`supported releases: ${releases}`] : [])].join('; '),
        ]
      : [`${id}:${variant}`, `with ${describe(options)}`],
  );
}

/** @param {Record<string, unknown>} options */
const describe = (options) =>
  JSON.stringify(options, (_, value) => (value === undefined ? 'undefined' : value))
    .replaceAll('"', '')
    .slice(1, -1);
