import * as v from 'valibot';
import { whole } from '../../report/figures.js';
import { amount } from '../../schema.js';
import { durationOfMs, megabytes, orBlank } from '../../store/figures.js';

/** @import { FigureEntry } from '../../store/types.js' */
/** @import { ColdRun } from './types.js' */

const KNOWN = v.nullable(amount);
const tenthsOfMegabytes = orBlank((bytes) => (bytes / 1e6).toFixed(1));

/**
 * @template {keyof ColdRun} Name
 * @param {Name} name @param {string} title @param {string} meaning
 * @returns {{in: 'cold', name: Name, schema: typeof KNOWN} & FigureEntry}
 */
const time = (name, title, meaning) => ({
  in: 'cold',
  name,
  schema: KNOWN,
  unit: 'ms',
  text: durationOfMs,
  title,
  meaning: `of a fresh process: ${meaning}`,
  tables: { cold: title },
});

/** Of a fresh process. @satisfies {Record<string, FigureEntry>} */
export const FIGURES = {
  firstReplyMs: time('firstReplyMs', 'first reply', 'time from the start to the first reply'),
  processStartMs: time('startMs', 'start', 'time until Node runs the first line'),
  importMs: time('importMs', 'import', "time to import the client's library"),
  connectMs: time('connectMs', 'connect', 'time to make the client and connect'),
  replyMs: time('replyMs', 'reply', 'time from the first command to its reply'),
  coldCpuMs: time('cpuMs', 'CPU', 'CPU time to the first reply'),
  processStartCpuMs: time('startCpuMs', 'start CPU', 'CPU time until Node runs the first line'),
  importCpuMs: time('importCpuMs', 'import CPU', "CPU time to import the client's library"),
  connectCpuMs: time('connectCpuMs', 'connect CPU', 'CPU time to make the client and connect'),
  replyCpuMs: time('replyCpuMs', 'reply CPU', 'CPU time from the first command to its reply'),
  modulesLoaded: {
    in: 'cold',
    name: 'modules',
    schema: KNOWN,
    unit: 'times',
    better: 'less',
    text: orBlank(whole),
    title: 'modules',
    meaning: "of a fresh process: files loaded with the client's library",
    tables: { cold: 'modules' },
  },
  coldRssBytes: {
    in: 'cold',
    name: 'rssBytes',
    schema: KNOWN,
    unit: 'bytes',
    text: megabytes,
    title: 'MB',
    meaning: 'of a fresh process: memory (resident set) after the first reply',
    tables: { cold: 'MB' },
  },
  installedBytes: {
    in: 'cold',
    schema: KNOWN,
    unit: 'bytes',
    text: tenthsOfMegabytes,
    title: 'MB on disk',
    meaning: "of a fresh process: the client's library on disk, with all that it depends on",
    tables: { cold: 'MB on disk' },
  },
};
