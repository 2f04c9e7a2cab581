import { codeCosts } from '../../../analysis/findings/code-costs.js';
import { titled } from '../../tables/grid.js';
import { costText, PARTS, placeText, unsampledText } from '../../words/code-words.js';
import { CODE_LOOKS, CODE_PARTS, codeBars, flameGraph } from './code-charts.js';
import { html, swatch } from './markup.js';
import { gridTable } from './page-tables.js';

/** @import { CellProfile, CostKind } from '../../../results/types.js' */
/** @import { CodePart } from '../../../worker/types.js' */
/** @import { ProfiledRow } from './code-charts.js' */
/** @import { Group } from './page.js' */

/** @typedef {ProfiledRow & {profile: CellProfile}} Profiled */

/** Whose code costs what, of the cells that were profiled. @param {Group} group */
export function codeSection({ rows }) {
  const parts = KINDS.flatMap((kind) => {
    const profiled = rows.flatMap(({ name, cell }) => {
      const costs = codeCosts(cell, kind);
      const profile = cell.profiles?.[kind];
      return costs === null || profile === undefined ? [] : [{ name, costs, profile }];
    });
    return profiled.length === 0 ? [] : [partOf(profiled, WORDS[kind])];
  });
  return parts.length === 0 ? null : html`${parts}`;
}

/**
 * `flames` and `below`: missing where no calls are known.
 * @typedef {Record<'heading' | 'what' | 'caption', string> & Partial<Record<'flames' | 'below', string>>} SectionWords
 */

/** @type {Record<CostKind, SectionWords>} */
const WORDS = {
  cpu: {
    heading: 'Where the CPU time goes',
    what: 'CPU time per operation, by whose code spends it',
    caption: "From a separate run under V8's sampling profiler, scaled to the CPU time of the timed runs.",
    flames: 'Flame graphs: which function calls which',
    below: 'the time',
  },
  heap: {
    heading: 'What allocates memory',
    what: 'Bytes allocated per operation, by whose code allocates them',
    caption: "From a separate run under V8's sampling heap profiler.",
    flames: 'Flame graphs: which calls allocate memory',
    below: 'what is allocated',
  },
  server: {
    heading: "Where the server's CPU time goes",
    what: "CPU time of the server's main thread per command, by whose code spends it",
    caption: 'From a separate run under perf, scaled to the CPU time of the timed runs.',
  },
};

const KINDS = /** @type {CostKind[]} */ (Object.keys(WORDS));

/** @param {Profiled[]} profiled @param {SectionWords} words */
function partOf(profiled, words) {
  const { heading, what, caption } = words;
  const spent = profiled.flatMap(({ costs }) => costs.kinds).filter(({ share }) => share > 0);
  const parts = CODE_PARTS.filter((part) => spent.some((kind) => kind.part === part));
  const costs = gridTable({
    note: what,
    columns: titled([...parts.map((part) => CODE_LOOKS[part].title), 'all']),
    rows: profiled.map((each) => costRow(each, parts)),
  });
  return html`<h3>${heading}</h3><figure><figcaption>${what}: ${parts.map(
    (part, index) =>
      html`${index > 0 && ', '}<span class="key">${swatch(CODE_LOOKS[part].colour)} ${PARTS[part]}</span>`,
  )}. ${caption} ${unsampledText(profiled.map((each) => each.costs))}</figcaption>${codeBars(profiled, what)}</figure>
${costs}
${words.flames === undefined ? functionLists(profiled) : flameGraphs(profiled, words)}`;
}

/** @param {Profiled[]} profiled @param {SectionWords} words */
const flameGraphs = (profiled, { flames, below }) => html`<details><summary>${flames}</summary>
<p class="small">Callers are above what they call. A box is as wide as ${below} below it; each graph is one whole cell. Point at a box to see
its place and cost. Boxes under 0.5 % are left out.</p>
<div class="facets">${profiled.map(
  ({ profile, ...row }) =>
    html`<div><h4>${row.name}: ${costText(row.costs.perOp, row.costs.unit)}</h4>${flameGraph(profile, row)}</div>`,
)}</div></details>`;

const MOST_FUNCTIONS = 15;

/** @param {Profiled[]} profiled */
const functionLists = (profiled) => html`<details><summary>The most expensive functions</summary>
<div class="facets">${profiled.map(
  ({ name, costs }) =>
    html`<div>${gridTable({
      note: name,
      names: { title: 'function' },
      columns: titled(['per command']),
      rows: costs.functions
        .slice(0, MOST_FUNCTIONS)
        .map((each) => ({ name: placeText(each), texts: [costText(each.perOp, costs.unit)] })),
    })}</div>`,
)}</div></details>`;

/** @param {ProfiledRow} row @param {CodePart[]} parts */
function costRow({ name, costs: { kinds, perOp, unit } }, parts) {
  const costs = parts.map((part) => kinds.find((each) => each.part === part)?.perOp);
  return { name, texts: [...costs, perOp].map((cost) => (cost === undefined ? '' : costText(cost, unit))) };
}
