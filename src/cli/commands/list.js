import { FAULTS } from '../../break/options.js';
import { METRICS } from '../../core/store/fields.js';

/** @import { Metric } from '../../core/store/types.js' */
/** @import { Catalogue, ClientPlugin } from '../../core/plugins/types.js' */
/** @import { CommandPart } from '../types.js' */

/** @type {CommandPart} */
export const list = {
  async run(_options, { stdout, pluginFolders }) {
    const { loadCatalogue } = await import('../../options/catalogue.js');
    stdout.write(catalogueText(await loadCatalogue(pluginFolders)));
  },
};

const ENCODINGS = {
  none: 'values as they are',
  json: 'JSON, as text',
  msgpack: 'MessagePack, with npm install msgpackr',
  'json+gzip': 'JSON, compressed by the zlib of Node',
};

/** @param {Catalogue} catalogue @returns {string} */
function catalogueText(catalogue) {
  const sections = [
    section(
      'Clients',
      [...catalogue.clients.values()].flatMap((client) => clientLines(client, catalogue.packages)),
    ),
    section('Scenarios (--scenarios)', summaries(catalogue.scenarios)),
    section('Workloads (--workload)', summaries(catalogue.workloads)),
    section('Ways to code requests (--way)', summaries(catalogue.ways)),
    section('Pipelining (--pipelining)', summaries(catalogue.pipelining)),
    section('What can break (redis-pipe-bench break KIND)', Object.entries(FAULTS).map(faultLine)),
    section('Encodings of records (--encode)', Object.entries(ENCODINGS)),
    section('Suites (--suite)', summaries(catalogue.suites)),
    section('Formats (--format)', summaries(catalogue.formats)),
    section('Metrics (--assert, --metric)', METRICS.map(metricLine)),
  ];
  return `${sections.join('\n\n')}\n`;
}

/** @param {string} title @param {[string, string][]} rows */
function section(title, rows) {
  const width = Math.max(...rows.map(([name]) => name.length));
  return [title, ...rows.map(([name, text]) => `  ${name.padEnd(width)}  ${text}`)].join('\n');
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

/** @param {[kind: string, {meaning: string}]} fault @returns {[string, string]} */
const faultLine = ([kind, { meaning }]) => [kind, meaning];

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
