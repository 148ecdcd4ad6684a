// npm run bench: runs the benchmarks below one after another and prints all of their rows in one table, or with --json
// as one array. Given paths, it runs these benchmarks instead. The exit status is 1 if a benchmark fails.
import { basename, join, resolve } from 'node:path';
import { isJson, progress, report } from './support/report.mjs';
import { runBenchmark } from './support/run-benchmark.mjs';

/** The rows of each benchmark. */
const ROWS = {
  'lifecycle.mjs': ['lifecycle', 'lifecycle_tenants'],
  'relay.mjs': ['relay', 'signal'],
  'connect.mjs': ['connect'],
  'join.mjs': ['join'],
  'positions.mjs': ['positions'],
  'routing.mjs': ['routing_1000', 'routing_10000', 'routing_100000'],
  'estimates.mjs': ['estimates_steady', 'estimates_peak', 'estimates_leaving', 'estimates_shared'],
  'waiting-memory.mjs': ['waiting_memory'],
  'login.mjs': ['login', 'login_alone'],
  'list.mjs': ['list', 'details'],
  'export.mjs': ['export'],
  'analytics.mjs': ['analytics'],
  'recording.mjs': ['recording'],
};

/** Smaller amounts than those of the benchmarks alone, so that all of them take 12 minutes. */
const AMOUNTS = {
  'routing.mjs': { BENCH_OFFERS: '800' },
  'export.mjs': { BENCH_CALLS: '200000' },
  'analytics.mjs': { BENCH_CALLS: '180000' },
  'recording.mjs': { BENCH_BYTES: '700000000' },
};

const stopping = new AbortController();
for (const signal of ['SIGINT', 'SIGTERM']) process.once(signal, () => stopping.abort());

const paths = process.argv.slice(2).filter((argument) => !argument.startsWith('--'));
const files =
  paths.length > 0
    ? paths.map((path) => resolve(path))
    : Object.keys(ROWS).map((name) => join(import.meta.dirname, name));

const rows = [];
for (const [index, file] of files.entries()) {
  if (stopping.signal.aborted) break;
  const name = basename(file, '.mjs');
  progress(`${index + 1} of ${files.length}: ${name}`);
  const begin = performance.now();
  const env = { ...AMOUNTS[basename(file)], ...process.env };
  rows.push(...(await runBenchmark(file, ROWS[basename(file)] ?? [name], stopping.signal, env)));
  progress(`${name} took ${((performance.now() - begin) / 1000).toFixed(0)} s`);
}
if (!isJson) console.log('');
report(rows);
if (stopping.signal.aborted || rows.some(({ error }) => error !== undefined)) process.exitCode = 1;
