/** @import { CellResult, Report } from '../../results/types.js' */

/**
 * What differs between two reports besides their figures, and may be why these differ.
 *
 * @param {Report} base
 * @param {Report} next
 * @param {{cell: CellResult, other: CellResult}[]} common cells
 * @returns {string[]} one warning for the machine, the server, the settings … each naming what it found
 */
export function differencesOf(base, next, common) {
  const cells = common.map(({ cell }) => cell);
  return [
    ...named('the machine differs', machineOf(base), machineOf(next)),
    ...named('versions differ', versionsOf(base, cells), versionsOf(next, cells)),
    ...named('the server differs', serversOf(base), serversOf(next)),
    ...named('the placement differs', placementsOf(base), placementsOf(next)),
    ...named('settings differ', settingsOf(base), settingsOf(next)),
    ...optionWarnings(common),
    ...partialWarnings(base, next),
  ];
}

/** @param {Report} report */
const machineOf = ({ environment: { cpuModel, cpuCount, memoryBytes, os, arch } }) => ({
  ...{ processor: cpuModel, processors: cpuCount, os, architecture: arch },
  memory: `${Math.round(memoryBytes / 1e9)} GB`,
});

/**
 * @param {Report} report
 * @param {CellResult[]} cells that both have
 */
const versionsOf = ({ environment, tool }, cells) => ({
  ...{ Node: environment.node, [tool.name]: tool.version },
  // A release that was asked for is in the name of its cell, and both have that.
  ...Object.fromEntries(
    Object.entries(environment.packages).filter(([name]) =>
      cells.some(({ client, version }) => !version && client === name.slice(name.indexOf('/') + 1)),
    ),
  ),
});

/** @param {Report} report */
const serversOf = ({ servers }) =>
  leaves(
    Object.fromEntries(
      servers.map(({ kind, software, version, mode, config }) => [
        mode ?? 'mode unknown',
        { kind, software, version, ...config },
      ]),
    ),
  );

/** @param {Report} report */
const placementsOf = ({ placements }) =>
  Object.fromEntries(
    placements.map(({ pin, serverCpus, workerCpus, note }) => [
      `--pin ${pin}`,
      note ?? `server on ${serverCpus?.join()}, worker on ${workerCpus?.join()}`,
    ]),
  );

/** @param {Report} report */
const settingsOf = ({ settings }) => ({
  'warm-up runs': settings.warmupRuns,
  'run time (ms)': settings.runTimeMs,
  'duration (ms)': settings.durationMs,
  values: settings.value,
  'order of keys': settings.keyDistribution,
  'one slot': settings.oneSlot,
  smoke: settings.smoke,
});

/**
 * @param {{cell: CellResult, other: CellResult}[]} common
 * @returns {string[]} one for each way in which options of cells differ, with the number of cells
 */
function optionWarnings(common) {
  /** @type {Map<string, Set<string>>} */
  const cells = new Map();
  for (const { cell, other } of common) {
    const [before, after] = [cell, other].map(({ effectiveOptions, scenarioOptions }) =>
      withoutAddress({ ...leaves(effectiveOptions), ...leaves(scenarioOptions) }),
    );
    for (const text of changes(before, after))
      cells.set(text, (cells.get(text) ?? new Set()).add(cell.client));
  }
  return [...cells].map(([text, clients]) => `options of ${[...clients].join(', ')} differ: ${text}`);
}

/** Where the server listens is another place each time; what it is, is compared by itself. */
const ADDRESS = /(^|\.)(host|port|path|servername)$/;

/** @param {Record<string, unknown>} options */
const withoutAddress = (options) =>
  Object.fromEntries(Object.entries(options).filter(([path]) => !ADDRESS.test(path)));

/**
 * @param {unknown} value
 * @param {string[]} path
 * @returns {Record<string, unknown>} every single option by its path, `socket.noDelay`
 */
function leaves(value, path = []) {
  if (typeof value !== 'object' || value === null) return { [path.join('.')]: value };
  return Object.assign({}, ...Object.entries(value).map(([name, part]) => leaves(part, [...path, name])));
}

/**
 * @param {Report} base
 * @param {Report} next
 */
const partialWarnings = (base, next) => [
  ...(base.partial ? ['the first result ended early'] : []),
  ...(next.partial ? ['the second result ended early'] : []),
];

/**
 * @param {string} what
 * @param {Record<string, unknown>} before
 * @param {Record<string, unknown>} after
 * @returns {string[]} one warning, or none
 */
function named(what, before, after) {
  const found = changes(before, after);
  return found.length > 0 ? [`${what}: ${found.join(', ')}`] : [];
}

/**
 * @param {Record<string, unknown>} before
 * @param {Record<string, unknown>} after
 * @returns {string[]}
 */
const changes = (before, after) =>
  [...new Set([...Object.keys(before), ...Object.keys(after)])]
    .filter((name) => String(before[name]) !== String(after[name]))
    .map((name) => `${name} ${shown(before[name])} → ${shown(after[name])}`);

/** @param {unknown} value */
const shown = (value) => (value === undefined || value === null || value === '' ? 'none' : String(value));
