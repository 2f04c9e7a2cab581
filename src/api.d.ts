/// <reference types="node" />

import './commands/agents/types.js';
import type { BenchmarkHooks, BenchmarkOptions, ReportComparison } from './commands/benchmark/types.js';
import type { CommandName } from './commands/types.js';
import type { Report } from './store/types.js';

export type {
  BenchmarkEvent,
  BenchmarkHooks,
  BenchmarkOptions,
  ReportComparison,
} from './commands/benchmark/types.js';
export type * from './commands/break/types.js';
export type * from './commands/cold/types.js';
export type * from './plugins/types.js';
export type { CellResult, Report, ResultLine, Run, Summary } from './store/types.js';

/** Add your own: `declare module 'redis-pipe-bench' { interface PluginOptions { twinPairs: number[] } }`. */
export interface PluginOptions {
  pool: ('generic' | 'native')[];
  poolSize: number[];
  connections: number[];
  /** In ms, as is `ttl`. */
  missWork: number;
  ttl: number;
  allowPartial: boolean;
}

/**
 * Runs a benchmark. Options are those of the command line, as text or as values.
 * @throws a UsageError (`exitCode` 2) when an option or a combination is wrong, before anything is started; a ServerError
 * (3) when no server is found, started or reached
 */
export function benchmark(options?: BenchmarkOptions, hooks?: BenchmarkHooks): Promise<Report>;

/**
 * Runs another command that measures, with the options that it takes on the command line; what breaks is `fault`.
 * @throws as a benchmark does
 */
export function measure(
  command: CommandName,
  options?: BenchmarkOptions,
  hooks?: BenchmarkHooks,
): Promise<Report>;

/** Compares two results by cell. @throws a UsageError if they share no cell, or the metric is unknown */
export function compare(base: Report, next: Report, options?: { metric?: string }): Promise<ReportComparison>;

/** Reads a saved result. @throws a UsageError if it cannot be read as one */
export function readResult(file: string): Promise<Report>;
