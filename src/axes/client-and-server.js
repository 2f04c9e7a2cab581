import { defineAxis, nameBy } from './define.js';

/** @import { AxisCell } from './types.js' */

/** What is measured. In ids and names, client, release and variant are one word: `redis@5.8.3:tuned`. */

/** @param {AxisCell} cell @returns {string} `redis:tuned` */
const withVariant = (cell) => nameBy([client, variant], cell, [cell]);

export const client = defineAxis({
  id: 'client',
  role: 'choice',
  phrase: (cell) => cell.client,
  always: () => true,
  aliases: clientAliases,
  advice: {
    order: 4,
    noun: 'client',
    value: withVariant,
    label: (cell, cells) => nameBy([client, release, variant], cell, cells),
  },
});

/** @param {AxisCell} cell @returns {string} `redis@5.8.3` */
const withRelease = (cell) => `${cell.client}${release.row(cell)}`;

export const release = defineAxis({
  id: 'release',
  partOf: 'client',
  role: 'choice',
  // A release is the same however it was asked for. A checkout is not the release it was made from.
  of: (cell) => cell.version ?? cell.release?.version ?? null,
  phrase: (cell) => (release.of(cell) ? `@${release.of(cell)}` : ''),
  // Without a release, results before and after an update can be compared.
  idPart: ({ version }) => (version ? `@${version}` : ''),
  idGlue: '',
  rowGlue: '',
  always: ({ version }) => Boolean(version),
  among: (cell, other) => other.client === cell.client,
  advice: { order: 2, noun: 'release', value: withRelease, ofClient: true },
  columns: { version: ({ version }) => version, release: (cell) => release.of(cell) },
});

/** @param {AxisCell} cell @returns {string} `:tuned`, `{RESP:2}` */
const variantPart = ({ variant: name }) => (name?.startsWith('{') ? name : `:${name}`);

export const variant = defineAxis({
  id: 'variant',
  partOf: 'client',
  role: 'choice',
  phrase: variantPart,
  idGlue: '',
  row: (cell) => (cell.variant === 'default' ? '' : variantPart(cell)),
  rowGlue: '',
  always: () => true,
  advice: { order: 3, noun: 'option', value: withVariant, ofClient: true },
});

/** A client that is compared with itself shows the noise of the machine. */
export const copy = defineAxis({
  id: 'copy',
  role: 'repetition',
  phrase: (cell) => (cell.copy > 1 ? ` #${cell.copy}` : ''),
  idPart: (cell) => copy.row(cell).trim(),
  idGlue: '',
  rowGlue: '',
  always: () => true,
});

const node = defineAxis({
  id: 'node',
  role: 'choice',
  phrase: (cell) => (cell.node ? `Node ${cell.node}` : ''),
  idPart: (cell) => (cell.node ? `node-${cell.node}` : ''),
  advice: { order: 7, noun: 'Node', value: (cell) => `Node ${cell.node}` },
});

const imported = defineAxis({
  id: 'import',
  role: 'choice',
  phrase: (cell) => cell.imported?.name ?? '',
  of: (cell) => cell.imported?.name ?? null,
  idPart: (cell) => (cell.imported ? `import-${inOneWord(cell.imported.name)}` : ''),
  usual: 'no import',
  // Before the client is chosen, as each has its own cost.
  advice: { order: 1.5, noun: 'import', ofClient: true, value: (cell) => imported.row(cell) },
});

/** The same for repetitions. @param {Pick<AxisCell, 'client' | 'version' | 'variant' | 'release'>} cell */
export const clientKey = (cell) =>
  JSON.stringify([client, release, variant].map((axis) => axis.of(/** @type {AxisCell} */ (cell))));

/** @param {AxisCell} cell @returns {string[]} the whole word; a default variant may be left out */
function clientAliases(cell) {
  const [name, asked, ofVariant, ofCopy] = [client, release, variant, copy].map((axis) => axis.idPart(cell));
  const whole = `${name}${asked}${ofVariant}${ofCopy}`;
  return cell.variant === 'default' ? [whole, `${name}${asked}${ofCopy}`] : [whole];
}

export const CLIENT_AXES = [client, release, variant, copy, node, imported];

/** Servers side by side: software or address, and settings. Null or missing for one server. */

export const server = defineAxis({
  id: 'server',
  role: 'choice',
  phrase: (cell) => cell.server ?? '',
  idPart: (cell) => inOneWord(cell.server),
  advice: { order: 8, noun: 'server' },
});

export const serverConfig = defineAxis({
  id: 'serverConfig',
  role: 'choice',
  phrase: (cell) => cell.serverConfig ?? '',
  idPart: (cell) => inOneWord(cell.serverConfig),
  advice: { order: 9, noun: 'server settings' },
});

export const topology = defineAxis({
  id: 'topology',
  role: 'condition',
  phrase: (cell) => cell.topology,
  title: (cell, { oneSlot }) =>
    cell.topology === 'standalone' ? '' : oneSlot ? `${cell.topology} (one slot)` : cell.topology,
  titledLast: true,
  notMeasured: 'topologies',
});

/** Cells of one server share it. @param {Pick<AxisCell, 'topology' | 'server' | 'serverConfig'>} cell */
export const serverKey = ({ topology, ...cell }) =>
  [topology, inOneWord(cell.server), inOneWord(cell.serverConfig)].filter(Boolean).join('/');

/** @param {string | null | undefined} name @returns {string} `io-threads-4` */
const inOneWord = (name) => (name ?? '').replace(/[^\w.#:@[\]-]+/g, '-');

export const SERVER_AXES = [server, serverConfig];
