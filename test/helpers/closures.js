import { join } from 'node:path';
import { isFunctionLikeDeclaration } from 'typescript/unstable/ast/is';
import { API } from 'typescript/unstable/sync';

/** @import { Node } from 'typescript/unstable/ast' */

/** @param {Node} node @returns {number} functions inside of each other, inside of this node */
function depthIn(node) {
  let deepest = 0;
  node.forEachChild((child) => {
    deepest = Math.max(deepest, depthIn(child) + (isFunctionLikeDeclaration(child) ? 1 : 0));
  });
  return deepest;
}

/** @param {Node} node @param {(outermost: Node) => void} tell called with each function that is in no other */
function eachOutermost(node, tell) {
  node.forEachChild((child) => {
    if (isFunctionLikeDeclaration(child)) tell(child);
    else eachOutermost(child, tell);
  });
}

/** Code that runs in a worker, a relay or a page. */
const ELSEWHERE = /^src\/(worker|relay|plugins|meters)\//;
/** Closures inside of each other that a reader can follow. */
export const MOST_CLOSURES = 2;

/**
 * Functions of the parent's side that nest more closures than a reader can follow.
 * @param {string} root of the project @param {string[]} files of src/, from the root
 * @returns {string[]} the place of each, and how many closures nest in it
 */
export function deepFunctions(root, files) {
  const api = new API({ cwd: root });
  try {
    const { program } = api.updateSnapshot({ openProjects: [join(root, 'tsconfig.json')] }).getProjects()[0];
    /** @type {string[]} */
    const found = [];
    for (const file of files.filter((each) => each.endsWith('.js') && !ELSEWHERE.test(each))) {
      const source = program.getSourceFile(join(root, file));
      if (source === undefined) throw new Error(`${file} is not in tsconfig.json`);
      eachOutermost(source, (node) => {
        const closures = depthIn(node);
        if (closures <= MOST_CLOSURES) return;
        const line = source.text.slice(0, node.getStart()).split('\n').length;
        found.push(`${file}:${line} (${closures})`);
      });
    }
    return found;
  } finally {
    api.close();
  }
}
