import { client, copy, node, release, variant } from './client.js';
import { appWork, beside, jitter, machines, processes, rtt, tasks } from './conditions.js';
import { fault } from './fault.js';
import { arrivals, bound, rate, speed, step, whenFull } from './open-loop.js';
import { pin, pipelining, readFrom, scenario, scenarioOptions, transport } from './sending.js';
import { server, serverConfig, serverCopy, topology } from './server.js';
import { keySize, keys, valueSize, workload } from './workload.js';

/** @import { Axis, AxisCell } from './types.js' */

/**
 * Every axis of the matrix, in the order in which ids, names, titles and columns have them; axes that depend
 * on the cells are given by a function of the cells. Whatever names, groups, compares or lists cells asks
 * this list: a new axis is one entry.
 * @type {(Axis | ((cells: AxisCell[]) => Axis[]))[]}
 */
export const AXES = [
  client,
  release,
  variant,
  copy,
  node,
  server,
  serverConfig,
  serverCopy,
  scenario,
  scenarioOptions,
  pipelining,
  transport,
  readFrom,
  pin,
  processes,
  machines,
  step,
  workload,
  topology,
  keySize,
  valueSize,
  keys,
  tasks,
  appWork,
  rtt,
  jitter,
  beside,
  fault,
  rate,
  speed,
  arrivals,
  whenFull,
  bound,
];

/** @param {AxisCell[]} cells @returns {Axis[]} the axes that these cells have */
export const axesOf = (cells) => AXES.flatMap((each) => (typeof each === 'function' ? each(cells) : each));
