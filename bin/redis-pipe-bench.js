#!/usr/bin/env node
import { main } from '../src/cli/main.js';

const { stdout, stderr, env } = process;
const args = process.argv.slice(2);
// A URL among them may hold a password, and a list of processes would show it while the tool runs.
process.title = 'redis-pipe-bench';
process.exitCode = await main(args, { stdout, stderr, env, process });
