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

/**
 * Finds functions that nest more closures than a reader can follow.
 * @param {string} root of the project @param {string[]} files in it @param {number} most closures inside of each other
 * @returns {{file: string, line: number, closures: number}[]} those functions, in which there are more
 */
export function deepFunctions(root, files, most) {
  const api = new API({ cwd: root });
  try {
    const { program } = api.updateSnapshot({ openProjects: [join(root, 'tsconfig.json')] }).getProjects()[0];
    /** @type {ReturnType<typeof deepFunctions>} */
    const found = [];
    for (const file of files) {
      const source = program.getSourceFile(join(root, file));
      if (source === undefined) throw new Error(`${file} is not in tsconfig.json`);
      eachOutermost(source, (node) => {
        const closures = depthIn(node);
        if (closures <= most) return;
        found.push({ file, line: source.text.slice(0, node.getStart()).split('\n').length, closures });
      });
    }
    return found;
  } finally {
    api.close();
  }
}
