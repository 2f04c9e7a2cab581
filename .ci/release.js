/**
 * `npm run release -- 1.2.0`: moves what is unreleased in CHANGELOG.md under the new version, sets it in package.json,
 * commits, tags and packs. It publishes and pushes nothing: it prints the commands that do.
 */
import { execFileSync } from 'node:child_process';
import { readFileSync, writeFileSync } from 'node:fs';
import semver from 'semver';

const UNRELEASED = '## [Unreleased]\n';

const [version = ''] = process.argv.slice(2);
try {
  process.stdout.write(release(version));
} catch (error) {
  process.stderr.write(`release: ${error instanceof Error ? error.message : error}\n`);
  process.exitCode = 1;
}

/** @param {string} next @returns {string} what is left to do */
function release(next) {
  const manifest = readFileSync('package.json', 'utf8');
  const current = JSON.parse(manifest).version;
  if (semver.valid(next) !== next || !semver.gt(next, current))
    throw new Error(
      `expected a version after ${current}, such as ${semver.inc(current, 'minor')}, got '${next}'`,
    );
  const changed = git('status', '--porcelain');
  if (changed !== '') throw new Error(`expected a clean tree; commit or stash first:\n${changed}`);
  if (git('tag', '--list', `v${next}`) !== '') throw new Error(`the tag v${next} exists already`);

  writeFileSync('CHANGELOG.md', movedUnder(next, readFileSync('CHANGELOG.md', 'utf8')));
  writeFileSync('package.json', manifest.replace(`"version": "${current}"`, `"version": "${next}"`));
  git('commit', '--quiet', '--message', `Release ${next}`, 'CHANGELOG.md', 'package.json');
  git('tag', '--annotate', `v${next}`, '--message', `Release ${next}`);
  const packed = execFileSync('npm', ['pack', '--silent'], { encoding: 'utf8' }).trim();
  const channel = semver.prerelease(next) ? ' --tag next' : '';
  return `${packed} is ready, and so is the tag v${next}. To publish:\n  git push --follow-tags\n  npm publish ${packed}${channel}\n`;
}

/** @param {string} next @param {string} log @returns {string} */
function movedUnder(next, log) {
  const [head, rest] = log.split(UNRELEASED);
  if (rest === undefined) throw new Error(`CHANGELOG.md: expected a line '${UNRELEASED.trim()}'`);
  const [unreleased] = rest.split(/^## /m);
  if (unreleased.trim() === '') throw new Error('CHANGELOG.md: nothing is unreleased');
  const today = new Date().toISOString().slice(0, 10);
  return `${head}${UNRELEASED}\n## [${next}] - ${today}\n${rest}`;
}

/** @param {string[]} args */
function git(...args) {
  return execFileSync('git', args, { encoding: 'utf8' }).trim();
}
