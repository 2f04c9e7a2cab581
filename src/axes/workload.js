import { textThrough } from '../commands/words.js';
import { count, plural, whole } from '../numbers.js';
import { defineAxis } from './define.js';

/** @import { Report } from '../store/types.js' */
/** @import { AxisCell } from './types.js' */

/** What is sent. Sizes and numbers of keys and values are one phrase in titles. */

/** `SET + GET`, or what the workload calls itself; case and hyphens matter in an argument. @param {AxisCell} cell */
function workloadName({ workload: written, chosen }) {
  if (chosen?.workload.title !== undefined) return chosen.workload.title;
  if (chosen?.workload.choice !== undefined) return chosen.workload.id.toUpperCase();
  const [id, ...argument] = written.split(':');
  return [id.toUpperCase().replaceAll('-', ' + '), ...argument].join(':');
}

/** @param {AxisCell} cell @returns {string} `COUNT 100`; empty for most */
const choiceOf = ({ chosen }) => chosen?.workload.choice ?? '';

/** @param {AxisCell} cell @returns {[workload: string, argument: string]} */
const partsOf = ({ chosen, workload: written }) =>
  chosen?.workload.choice === undefined
    ? [written, '']
    : [chosen.workload.id, written.slice(chosen.workload.id.length + 1)];

export const workload = defineAxis({
  id: 'workload',
  role: 'condition',
  of: (cell) => partsOf(cell)[0],
  phrase: workloadName,
  row: (cell) => cell.chosen?.workload.name ?? workloadName(cell),
  idPart: (cell) => partsOf(cell)[0],
  columns: { workload: (cell) => cell.workload },
  notMeasured: 'workloads',
});

/** Named with the workload, as written. */
export const argument = defineAxis({
  id: 'argument',
  role: 'choice',
  of: (cell) => partsOf(cell)[1],
  phrase: choiceOf,
  idPart: (cell) => partsOf(cell)[1],
  idGlue: ':',
  always: () => true,
  columns: {},
  advice: { order: 0, noun: 'argument' },
});

const keySize = defineAxis({
  id: 'keySize',
  role: 'condition',
  noun: 'length of keys',
  phrase: (cell) => `keys of ${whole(cell.keySize)}`,
  idPart: (cell) => String(cell.keySize),
  title: undefined,
  notMeasured: 'lengths of keys',
  otherThan: () => '',
});

const valueSize = defineAxis({
  id: 'valueSize',
  role: 'condition',
  noun: 'length of values',
  of: (cell) => (isRange(cell) ? `${cell.shortestValue}-${cell.valueSize}` : cell.valueSize),
  idPart: (cell) => String(valueSize.of(cell)),
  idGlue: 'x',
  phrase: (cell) => `values of ${lengthText(cell)}`,
  title: sizesText,
  columns: { valueSize: (cell) => cell.valueSize, shortestValue: (cell) => cell.shortestValue },
  notMeasured: 'values',
  otherThan: (cell, { value }) =>
    isOwn(cell) || startsProcesses(cell) || !hasValues(cell)
      ? ''
      : `${lengthText(cell)} ${charactersOf(cell.valueSize)} of ${value}`,
});

const keys = defineAxis({
  id: 'keys',
  role: 'condition',
  phrase: (cell) => count(cell.keys, 'key'),
  idPart: (cell) => (cell.keys > 1 ? `${cell.keys} keys` : ''),
  title: madeText,
  notMeasured: 'numbers of keys',
  otherThan: () => '',
});

/** @param {AxisCell} cell @returns {boolean} */
const isOwn = ({ chosen }) => chosen?.workload.data !== undefined;

/** @param {AxisCell} cell @returns {boolean} whether each operation is a process */
const startsProcesses = ({ chosen }) => chosen?.workload.startsProcesses ?? false;

/** @param {AxisCell} cell @returns {boolean} whether a value of the tool is stored or sent */
const hasValues = ({ chosen }) => chosen?.workload.madeBy?.hasValues ?? true;

/** @param {AxisCell} cell @param {Partial<Report['settings']>} settings @returns {string} what the user's command finds, where one is sent */
function madeText({ chosen }, { prepareEach }) {
  const made = chosen?.workload.madeBy;
  if (made === undefined) return '';
  if (made.finds === 'nothing') return `misses by ${made.command}`;
  const data = made.command === null ? 'no data prepared' : `data by ${made.command}`;
  return prepareEach ? `${data}, keys made anew for each operation` : data;
}

/** @param {AxisCell} cell */
const isRange = (cell) => cell.shortestValue < cell.valueSize;

/** @param {AxisCell} cell */
const lengthText = (cell) =>
  `${isRange(cell) ? `${whole(cell.shortestValue)}-` : ''}${whole(cell.valueSize)}`;

/** @param {number} length */
const charactersOf = (length) => plural(length, 'character');

/** @param {AxisCell} cell @param {Report['settings']} settings */
function sizesText(cell, { keyDistribution, value }) {
  const many = cell.keys > 1;
  if (startsProcesses(cell)) return '';
  if (isOwn(cell)) return `${count(cell.keys, 'key')}, sizes as recorded`;
  const length = lengthText(cell);
  const through = cell.chosen?.workload.sendsThrough;
  if (through !== undefined) {
    const each = cell.processes > 1 ? ' per sender' : '';
    return textThrough(`${length} ${charactersOf(cell.valueSize)}`, `${through}${each}`, value);
  }
  const keysText = `keys of ${whole(cell.keySize)}`;
  const sizes = !hasValues(cell)
    ? `${keysText} ${charactersOf(cell.keySize)}`
    : length === whole(cell.keySize)
      ? `keys and values of ${length} ${charactersOf(cell.valueSize)}`
      : `${keysText} and values of ${length} ${charactersOf(cell.valueSize)}`;
  return [
    `${many ? `${whole(cell.keys)} ` : ''}${sizes}`,
    ...(many && keyDistribution === 'zipf' ? [`(${keyDistribution})`] : []),
    ...(value === 'text' || !hasValues(cell) ? [] : [`(${value})`]),
  ].join(' ');
}

export const SIZE_AXES = [keySize, valueSize, keys];
