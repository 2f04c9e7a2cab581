/** Loaded when a command runs, because `--help` needs none of it. */
export { printable, printableDeep } from '../core/report/escaped.js';
export { interruptible, orNull } from './interrupt.js';
export { measureAndPrint } from './measuring.js';
export {
  checkForTable,
  checkWritable,
  printData,
  printReport,
  takeFormatOptions,
  tellAssertions,
  viewOf,
  writeResults,
} from './output.js';
export { createProgress, interruptNote } from './progress.js';
export { createRecordProgress } from './record-progress.js';
export { createSaver, detailsOf, findResult } from './saved.js';
export { colorsWanted, sayOn } from './terminal.js';
