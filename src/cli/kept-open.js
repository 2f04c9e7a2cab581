import { openNow } from '../left-open.js';

/** @returns {string} why a process whose work is done has not ended by itself */
export function whyKeptOpen() {
  const open = new Set(openNow());
  const what = open.size > 0 ? [...open].join(' and ') : 'something';
  return (
    `warning: done, but ${what} was still open and kept this process from ending, so it was ended; ` +
    'a file of your own must open nothing when it is loaded\n'
  );
}
