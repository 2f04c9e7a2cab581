import { nameSubjects } from '../../../../axes/cell-names.js';
import { count, joined, ratioText } from '../../../../report/figures.js';
import { sentencesAt } from './findings.js';

/** @import { Report } from '../../../../store/types.js' */

/** More of them are counted. */
const MOST_NAMED = 3;

/** What a benchmark came to, in one line. @param {Report} result @param {string} [overConditions] the same, where these vary @returns {string} empty where nothing was compared */
export function headlineOf(result, overConditions) {
  const [sentence] = [...sentencesAt(result, 'first'), ...sentencesAt(result, 'choose')];
  if (sentence !== undefined) return sentence.split('. ')[0].replace(/\.$/, '');
  if (overConditions !== undefined) return overConditions;
  const [fastest] = result.findings.filter((finding) => finding.kind === 'fastest');
  // What is fastest in one group is not in all.
  if (fastest === undefined || result.comparisons.length > 1) return '';
  const { cell, ties, doubtful, notCompared, slower } = fastest;
  const names = nameSubjects(result.cells);
  const [first, ...others] = [cell, ...ties].map((id) => names.get(id) ?? id);
  if (doubtful.length + notCompared.length > 0) return `Not decided; ahead: ${first}`;
  if (others.length > 0)
    return others.length < MOST_NAMED
      ? `${joined([first, ...others])} tie for the fastest`
      : `${count(others.length + 1, 'choice')} tie for the fastest, ${first} among them`;
  if (slower.length === 0) return '';
  const [{ cell: next, ...ratio }] = slower;
  return `${first} is fastest: ${ratioText({ ...ratio, verdict: 'faster' })} ahead of ${names.get(next) ?? next}`;
}
