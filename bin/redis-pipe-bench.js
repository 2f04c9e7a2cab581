#!/usr/bin/env node
import { main } from '../src/cli/main.js';

const { stdout, stderr, env } = process;
process.exitCode = await main(process.argv.slice(2), { stdout, stderr, env, process });
