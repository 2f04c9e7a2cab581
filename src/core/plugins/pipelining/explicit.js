import { numberOrError } from '../shared/byte-size.js';

/** @import { PipeliningPlugin } from '../types.js' */

/** @satisfies {PipeliningPlugin} */
export default {
  id: 'explicit',
  title: 'explicit',
  summary: "a task sends N operations through the client's own pipeline and waits for all their replies",
  syntax: 'explicit:10',
  requires: ['pipeline'],

  parse: (argument) =>
    numberOrError(argument, 1, 999_999, 'the operations of a batch, from 1 to 999999, as in explicit:10'),

  batchSize: (size) => size,
};
