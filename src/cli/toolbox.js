/** What commands use once they run: loaded then, because `--help` needs none of it. */
export { catchInterrupts } from './interrupt.js';
export { measureAndPrint } from './measuring.js';
export { checkWritable, printReport, writeResults } from './output.js';
export { createProgress } from './progress.js';
export { createRecordProgress } from './record-progress.js';
export { createSaver, detailsOf, findResult, historyFolder } from './saved.js';
export { sayOn } from './streams.js';
export { colorsWanted } from './terminal.js';
export { tellAssertions } from './verdict.js';
export { checkForTable, takeFormatOptions, viewOf } from './view.js';
