import { codeCosts } from '../../../analysis/findings/code-costs.js';
import { titled } from '../../tables/grid.js';
import { costText, placeText, unsampledText } from '../../words/code-words.js';
import { html } from './markup.js';
import { gridTable } from './page-tables.js';

/** @import { CodeCosts } from '../../../analysis/types.js' */
/** @import { CodePart, ProfileKind } from '../../../worker/types.js' */
/** @import { Group } from './page.js' */

/** In the order of their columns, with narrow titles. @type {Record<CodePart, string>} */
const TITLES = {
  package: 'client',
  node: 'Node',
  native: 'native, system',
  poll: 'polling',
  garbage: 'garbage',
  application: 'app work',
  tool: 'tool',
  other: 'plugins',
};

/** @typedef {{name: string, costs: CodeCosts}} Profiled */

/** Whose code costs what, of the cells that were profiled. @param {Group} group */
export function codeSection({ rows }) {
  const parts = KINDS.flatMap((kind) => {
    const profiled = rows.flatMap(({ name, cell }) => {
      const costs = codeCosts(cell, kind);
      return costs === null ? [] : [{ name, costs }];
    });
    return profiled.length === 0 ? [] : [partOf(profiled, WORDS[kind])];
  });
  return parts.length === 0 ? null : html`${parts}`;
}

/** @typedef {Record<'heading' | 'what' | 'caption', string>} SectionWords */

/** @type {Record<ProfileKind, SectionWords>} */
const WORDS = {
  cpu: {
    heading: 'Where the CPU time goes',
    what: 'CPU time per operation, by whose code spends it',
    caption: "From a separate run under V8's sampling profiler, scaled to the CPU time of the timed runs.",
  },
  heap: {
    heading: 'What allocates memory',
    what: 'Bytes allocated per operation, by whose code allocates them',
    caption: "From a separate run under V8's sampling heap profiler.",
  },
};

const KINDS = /** @type {ProfileKind[]} */ (Object.keys(WORDS));

/** @param {Profiled[]} profiled @param {SectionWords} words */
function partOf(profiled, { heading, what, caption }) {
  const spent = profiled.flatMap(({ costs }) => costs.kinds).filter(({ share }) => share > 0);
  const parts = /** @type {CodePart[]} */ (Object.keys(TITLES)).filter((part) =>
    spent.some((kind) => kind.part === part),
  );
  const costs = gridTable({
    note: what,
    columns: titled([...parts.map((part) => TITLES[part]), 'all']),
    rows: profiled.map((each) => costRow(each, parts)),
  });
  return html`<h3>${heading}</h3><p class="small">${caption} ${unsampledText(profiled.map((each) => each.costs))}</p>
${costs}
${functionLists(profiled)}`;
}

const MOST_FUNCTIONS = 15;

/** @param {Profiled[]} profiled */
const functionLists = (profiled) => html`<details><summary>The most expensive functions</summary>
<div class="facets">${profiled.map(
  ({ name, costs }) =>
    html`<div>${gridTable({
      note: name,
      names: { title: 'function' },
      columns: titled(['per operation']),
      rows: costs.functions
        .slice(0, MOST_FUNCTIONS)
        .map((each) => ({ name: placeText(each), texts: [costText(each.perOp, costs.unit)] })),
    })}</div>`,
)}</div></details>`;

/** @param {Profiled} row @param {CodePart[]} parts */
function costRow({ name, costs: { kinds, perOp, unit } }, parts) {
  const costs = parts.map((part) => kinds.find((each) => each.part === part)?.perOp);
  return { name, texts: [...costs, perOp].map((cost) => (cost === undefined ? '' : costText(cost, unit))) };
}
