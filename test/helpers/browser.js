import { accessSync, constants } from 'node:fs';
import { delimiter, join } from 'node:path';

const NAMES = ['chromium', 'chromium-browser', 'google-chrome', 'google-chrome-stable'];

/** How to install one, by package manager. */
const INSTALLERS = {
  'apt-get': 'apt-get install chromium',
  dnf: 'dnf install chromium',
  apk: 'apk add chromium',
  brew: 'brew install --cask google-chrome',
};

/** An installed browser; undefined if there is none. */
export const BROWSER = onPath(NAMES);

/** @returns {string | undefined} how to install one, if it is missing and can be installed */
export function howToGetBrowser() {
  const found = Object.entries(INSTALLERS).find(([tool]) => onPath([tool]));
  return BROWSER === undefined && found
    ? `the tests that look at pages in a browser were skipped; '${found[1]}' installs one`
    : undefined;
}

/** @param {string[]} names @returns {string | undefined} the first that is installed */
function onPath(names) {
  return (process.env.PATH ?? '')
    .split(delimiter)
    .flatMap((folder) => names.map((name) => join(folder, name)))
    .find(isExecutable);
}

/** @param {string} file */
function isExecutable(file) {
  try {
    accessSync(file, constants.X_OK);
    return true;
  } catch {
    return false;
  }
}
