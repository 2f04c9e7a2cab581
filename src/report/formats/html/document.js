import { html, raw } from './markup.js';
import { STYLE } from './style.js';

/** @import { Markup } from './markup.js' */

/** Nothing is fetched and nothing runs, even if markup slipped in. */
const POLICY = "default-src 'none'; style-src 'unsafe-inline'; base-uri 'none'; form-action 'none'";

/**
 * A page that needs no other file.
 *
 * @param {string} title
 * @param {Markup} body
 * @returns {string}
 */
export function documentOf(title, body) {
  const page = html`<!doctype html>
<html lang="en">
<head>
<meta charset="utf-8">
<meta http-equiv="Content-Security-Policy" content="${POLICY}">
<meta name="viewport" content="width=device-width, initial-scale=1">
<meta name="referrer" content="no-referrer">
<title>${title}</title>
<style>${raw(STYLE)}</style>
</head>
<body>
${body}
</body>
</html>`;
  return `${page}\n`;
}
