import { appWork } from './app-work.js';
import { beside } from './beside.js';
import { client, copy, release, variant } from './client.js';
import { fault } from './fault.js';
import { keySize, keys, valueSize } from './key-and-value-sizes.js';
import { machines, processes, tasks } from './load.js';
import { node } from './node.js';
import { arrivals, bound, rate, speed, step, whenFull } from './open-loop.js';
import { pin } from './pin.js';
import { readFrom } from './read-from.js';
import { jitter, rtt } from './round-trip.js';
import { scenario, scenarioOptions } from './scenario.js';
import { pipelining, transport } from './sending.js';
import { server, serverConfig, serverCopy } from './server.js';
import { topology } from './topology.js';
import { workload } from './workload.js';

/** @import { Axis, AxisCell } from './types.js' */

/**
 * Every axis of the matrix, in the order in which ids, names, titles and columns have them; axes that depend
 * on the cells are given by a function of the cells. Whatever names, groups, compares or lists cells asks
 * this list: a new axis is one entry.
 *
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
