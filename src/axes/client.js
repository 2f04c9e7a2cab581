import { nameBy } from './name-by.js';

/** @import { Axis, AxisCell } from './types.js' */

/**
 * What is measured: a client's package, one of its releases, and a set of its options. In ids and names the
 * three are one word, `redis@5.8.3:tuned`.
 */

/** @type {Axis} */
export const client = {
  id: 'client',
  role: 'choice',
  of: (cell) => cell.client,
  idPart: (cell) => cell.client,
  row: (cell) => cell.client,
  always: () => true,
  aliases: clientAliases,
  advice: {
    order: 4,
    noun: 'client',
    value: (cell) => nameBy([client, variant], cell, [cell]),
    imperative: clientImperative,
  },
};

/** @type {Axis} */
export const release = {
  id: 'release',
  partOf: 'client',
  role: 'choice',
  // A release is the same however it was asked for. A checkout is never the release that it was made from.
  of: (cell) => cell.version ?? cell.release?.version ?? null,
  // Left out if no release was asked for, so that results before and after an update can be compared.
  idPart: ({ version }) => (version ? `@${version}` : ''),
  idGlue: '',
  row: (cell) => (release.of(cell) ? `@${release.of(cell)}` : ''),
  rowGlue: '',
  always: ({ version }) => Boolean(version),
  among: (cell, other) => other.client === cell.client,
  advice: {
    order: 2,
    noun: 'release',
    value: (cell) => `${client.row(cell)}${release.row(cell)}`,
    imperative: (cell) => `use ${client.row(cell)}${release.row(cell)}`,
    ofClient: true,
  },
  columns: { version: ({ version }) => version, release: (cell) => release.of(cell) },
};

/** @type {Axis} */
export const variant = {
  id: 'variant',
  partOf: 'client',
  role: 'choice',
  of: (cell) => cell.variant,
  idPart: variantPart,
  idGlue: '',
  row: (cell) => (cell.variant === 'default' ? '' : variantPart(cell)),
  rowGlue: '',
  always: () => true,
  advice: {
    order: 3,
    noun: 'variant',
    value: (cell) => nameBy([client, variant], cell, [cell]),
    imperative: variantImperative,
    ofClient: true,
  },
};

/**
 * A client that is measured twice is compared with itself: the difference is the noise of the machine.
 *
 * @type {Axis}
 */
export const copy = {
  id: 'copy',
  role: 'repetition',
  of: (cell) => cell.copy,
  idPart: (cell) => (cell.copy > 1 ? `#${cell.copy}` : ''),
  idGlue: '',
  row: (cell) => (cell.copy > 1 ? ` #${cell.copy}` : ''),
  rowGlue: '',
  always: () => true,
};

/**
 * @param {Pick<AxisCell, 'client' | 'version' | 'variant' | 'release'>} cell
 * @returns {string} the same for what is measured twice, however it was asked for
 */
export const clientKey = (cell) =>
  JSON.stringify([client, release, variant].map((axis) => axis.of(/** @type {AxisCell} */ (cell))));

/** @param {AxisCell} cell @returns {string} `:tuned`; options behind a name need no colon: `{RESP:2}` */
function variantPart({ variant: name }) {
  return name?.startsWith('{') ? name : `:${name}`;
}

/** @param {AxisCell} cell */
function clientImperative(cell) {
  const name = nameBy([client, variant], cell, [cell]);
  return cell.words?.variant ? `use ${cell.client} and ${cell.words.variant} (${name})` : `use ${name}`;
}

/** @param {AxisCell} cell */
function variantImperative(cell) {
  if (cell.variant === 'default') return 'keep its default options';
  const name = nameBy([client, variant], cell, [cell]);
  return cell.words?.variant ? `${cell.words.variant} (${name})` : `use ${name}`;
}

/**
 * @param {AxisCell} cell
 * @returns {string[]} the whole word, and for a default variant also the word without it
 */
function clientAliases(cell) {
  const [name, asked, ofVariant, ofCopy] = [client, release, variant, copy].map((axis) => axis.idPart(cell));
  return [
    `${name}${asked}${ofVariant}${ofCopy}`,
    ...(cell.variant === 'default' ? [`${name}${asked}${ofCopy}`] : []),
  ];
}
