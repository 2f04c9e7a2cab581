/** @import { Report } from '../../results/types.js' */

/**
 * @param {Pick<Report, 'servers'>} report
 * @returns {string[]} each server in words; with its mode if there are several
 */
export const serverTexts = ({ servers }) =>
  servers.map(({ kind, software, version, mode }) => {
    const text = `${kind} ${software} ${version ?? '(version unknown)'}`;
    return servers.length > 1 ? `${text} (${mode ?? 'mode unknown'})` : text;
  });
