/**
 * The client packages that a report has cells of.
 *
 * @param {Pick<import('../types.js').Report, 'environment' | 'cells'>} report
 * @returns {[name: string, version: string][]}
 */
export const usedPackages = ({ environment, cells }) =>
  Object.entries(environment.packages).filter(([name]) =>
    // A client is called as its package without the scope.
    cells.some(({ client }) => client === name.slice(name.indexOf('/') + 1)),
  );
