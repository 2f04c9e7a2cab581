import { progressText } from '../traffic/record-words.js';
import { createLastLines } from './last-lines.js';
import { interruptNote } from './progress.js';

/** @import { RecordEvent } from '../benchmark/types.js' */
/** @import { RecordingFigures } from '../traffic/types.js' */
/** @import { World } from './types.js' */

/** Seconds between lines where they cannot be redrawn. */
const EVERY = 10;

/** Redrawn each second on a terminal. @param {Pick<World, 'stderr' | 'env'> & {quiet: boolean}} world */
export function createRecordProgress({ stderr, env, quiet }) {
  const line = createLastLines(stderr, env, quiet);
  /** @type {RecordingFigures | null} */
  let before = null;
  let ticks = 0;

  /** @param {RecordingFigures & {open: number}} figures */
  function draw(figures) {
    ticks++;
    if (quiet || (!line.redraws && ticks % EVERY !== 0)) return;
    const text = progressText(figures, before);
    before = figures;
    if (line.redraws) line.show([text]);
    else line.say(text);
  }

  return {
    /** @param {RecordEvent} event */
    onEvent(event) {
      if (event.type === 'listening') line.say(listeningText(event));
      if (event.type === 'progress') draw(event.figures);
      if (event.type === 'stopped') line.say(stoppedText(event));
    },
    /** @param {string} signal */
    interrupted: (signal) => line.say(interruptNote(signal)),
    end: line.clear,
  };
}

const OF_CLUSTER =
  "warning: this server is a node of a cluster, and a cluster's client asks it for the nodes' own addresses and then goes past " +
  'the relay';

/** @param {{host: string, port: number, ofCluster: boolean}} listening */
function listeningText({ host, port, ofCluster }) {
  const where = host.includes(':') ? `[${host}]:${port}` : `${host}:${port}`;
  const isLocal = /^127\.|^::1$/.test(host);
  return (
    `listening on ${where}: point the service's Redis URL there (redis://${where}), with the user and password that it has now` +
    (isLocal ? '' : `\nwarning: every client that reaches ${where} reaches that server through it`) +
    (ofCluster ? `\n${OF_CLUSTER}` : '')
  );
}

/** @param {{reason: string, failure: string | null}} stopped */
const stoppedText = ({ reason, failure }) =>
  failure === null
    ? `the recording has ended (${reason}): it is as long as a profile can be; the relay goes on until Ctrl-C`
    : `the recording has stopped, because the profile cannot be written: ${failure}; the relay goes on until Ctrl-C`;
