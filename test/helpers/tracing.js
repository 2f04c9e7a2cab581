import { execFileSync } from 'node:child_process';
import { cpSync, existsSync, mkdirSync, renameSync, symlinkSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { CACHE_HOME } from './cli.js';

const EXAMPLES = fileURLToPath(new URL('../../examples/tracing', import.meta.url));
const PLACE = join(CACHE_HOME, 'redis-pipe-bench-tracing');
const PACKAGES = [
  '@opentelemetry/api@1',
  '@opentelemetry/sdk-trace-node@2',
  '@opentelemetry/context-async-hooks@2',
  '@opentelemetry/instrumentation@0',
  '@opentelemetry/instrumentation-ioredis@0',
  '@opentelemetry/instrumentation-redis@0',
];

/** Lays the examples into a folder, as users do, with the packages that they need: installed once. @param {string} folder */
export function layTracing(folder) {
  if (!existsSync(PLACE)) {
    const unfinished = `${PLACE}-${process.pid}`;
    mkdirSync(unfinished, { recursive: true });
    const how = ['--ignore-scripts', '--no-audit', '--no-fund', '--no-package-lock', '--no-save'];
    execFileSync('npm', ['install', '--prefix', unfinished, ...how, ...PACKAGES], { stdio: 'pipe' });
    renameSync(unfinished, PLACE);
  }
  cpSync(EXAMPLES, folder, { recursive: true });
  symlinkSync(join(PLACE, 'node_modules'), join(folder, 'node_modules'));
}
