/** @import { Finding, Slower } from '../types.js' */

/** More reasons than this are no longer the main ones. */
const MOST = 2;

/**
 * What stands below the table of a group on the first screen. Of all that explains why a cell is slower that
 * is why the nearest rival is, and then the largest effects, each kind of reasons once.
 *
 * @param {Finding[]} findings of one group
 * @returns {Finding[]}
 */
export function mainFindings(findings) {
  const slower = findings.flatMap((finding) =>
    finding.kind === 'slower' && finding.causes.length > 0 ? [finding] : [],
  );
  const why = findings.flatMap((finding) => (finding.kind === 'why' ? [finding] : []));
  const bySize = slower.toSorted((a, b) => b.timesSlower - a.timesSlower);
  // That opening a connection costs much is no news, unless nothing else is slower.
  const [known, news] = [bySize.filter(opensConnections), bySize.filter((each) => !opensConnections(each))];
  const chosen = oncePerReason([...why, ...news, ...(why.length + news.length > 0 ? [] : known)]).slice(
    0,
    MOST,
  );
  return findings.filter((finding) => finding.kind !== 'slower' || chosen.includes(finding));
}

/** @param {Slower} slower */
const opensConnections = ({ causes }) => causes.some(({ kind }) => kind === 'opens-connections');

/**
 * @template {Slower} Each
 * @param {Each[]} all
 * @returns {Each[]} the first of those that are slower for the same kinds of reasons
 */
function oncePerReason(all) {
  const reasonsOf = (/** @type {Slower} */ { causes }) => causes.map(({ kind }) => kind).join();
  return all.filter(
    (each, place) => all.findIndex((other) => reasonsOf(other) === reasonsOf(each)) === place,
  );
}
