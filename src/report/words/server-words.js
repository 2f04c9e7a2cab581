/** @import { Report } from '../../results/types.js' */

/**
 * @param {Pick<Report, 'servers'>} report
 * @returns {string[]} each server in words; with its mode if there are several, and with its name unless that says no more
 */
export const serverTexts = ({ servers }) =>
  servers.map(({ kind, name, software, version, mode, replicas = [] }) => {
    const text = `${kind} ${software} ${version ?? '(version unknown)'}`;
    const told = servers.some((other) => other.mode !== mode) || (name === undefined && servers.length > 1);
    const inBrackets = [
      ...(name === undefined || name === `${software} ${version}`.toLowerCase() ? [] : [name]),
      ...(told ? [mode ?? 'mode unknown'] : []),
    ];
    const named = inBrackets.length > 0 ? `${text} (${inBrackets.join(', ')})` : text;
    if (replicas.length === 0) return named;
    return `${named} with ${replicas.length} ${replicas.length === 1 ? 'replica' : 'replicas'}`;
  });
