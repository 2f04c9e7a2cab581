import { ENCODED } from '../../axes/sending.js';
import { FAULTS } from '../../break/options.js';
import { METRICS } from '../../core/store/fields.js';

/** @import { Metric } from '../../core/store/types.js' */
/** @import { Catalogue, ClientPlugin } from '../../core/plugins/types.js' */
/** @import { CommandPart } from '../types.js' */

/** @type {CommandPart} */
export const list = {
  async run(_options, { stdout, pluginFolders }) {
    const { loadCatalogue } = await import('../../options/catalogue.js');
    stdout.lines(catalogueLines(await loadCatalogue(pluginFolders)));
  },
};

/** @param {Catalogue} catalogue @returns {string[]} */
function catalogueLines({ clients, packages, ...plugins }) {
  /** @type {Record<string, [name: string, text: string][]>} */
  const sections = {
    Clients: [...clients.values()].flatMap((client) => clientLines(client, packages)),
    'Scenarios (--scenarios)': summaries(plugins.scenarios),
    'Workloads (--workload)': summaries(plugins.workloads),
    'Ways to code requests (--way)': summaries(plugins.ways),
    'Pipelining (--pipelining)': summaries(plugins.pipelining),
    'What can break (redis-pipe-bench break KIND)': Object.entries(FAULTS).map(([kind, { meaning }]) => [
      kind,
      meaning,
    ]),
    'Encodings of records (--encode)': Object.entries(ENCODED),
    'Suites (--suite)': summaries(plugins.suites),
    'Formats (--format)': summaries(plugins.formats),
    'Metrics (--assert, --metric)': METRICS.map(metricLine),
  };
  return Object.entries(sections).flatMap(([title, rows], index) => {
    const width = Math.max(...rows.map(([name]) => name.length));
    const lines = [title, ...rows.map(([name, text]) => `  ${name.padEnd(width)}  ${text}`)];
    return index === 0 ? lines : ['', ...lines];
  });
}

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

/** @param {Record<string, any>} options */
const describe = (options) =>
  JSON.stringify(options, (_, value) => (value === undefined ? 'undefined' : value))
    .replaceAll('"', '')
    .slice(1, -1);
