#!/usr/bin/env node
// Whichever yarn a person types runs this file (yarnPath in .yarnrc.yml) and with it the one
// pinned release, fetched by npx. YARN_IGNORE_PATH keeps that release from coming back here.
const { spawnSync } = require('node:child_process');

const { status, signal, error } = spawnSync(
  process.platform === 'win32' ? 'npx.cmd' : 'npx',
  ['--yes', '--package', '@yarnpkg/cli-dist@4.18.1', 'yarn', ...process.argv.slice(2)],
  { stdio: 'inherit', env: { ...process.env, YARN_IGNORE_PATH: '1' } },
);
if (error) throw error;
process.exitCode = signal ? 1 : status;
