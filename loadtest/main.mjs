// npm run loadtest -- --target URL --customers N --agents M --minutes T: real customers and agents against an installation.
// npm run loadtest -- merge RESULT.json…: the results of several processes as one. docs/load-test.md describes both.
import { readFileSync, writeFileSync } from 'node:fs';
import { mergeResults } from './figures/merge-results.mjs';
import { problemsOf } from './figures/verdict.mjs';
import { parseOptions, USAGE, UsageError } from './options.mjs';
import { htmlReport } from './report/html.mjs';
import { progressReporter } from './report/progress.mjs';
import { textReport } from './report/text.mjs';
import { runLoadTest } from './run.mjs';

async function resultOf(options) {
  if (options.files) return mergeResults(options.files.map((file) => JSON.parse(readFileSync(file, 'utf8'))));
  const end = new AbortController();
  for (const signal of ['SIGINT', 'SIGTERM'])
    process.once(signal, () => end.abort(new Error('it was interrupted')));
  const reporter = progressReporter(process.stderr);
  try {
    return await runLoadTest(options, reporter, end.signal);
  } finally {
    reporter.end();
  }
}

async function main() {
  const options = parseOptions(process.argv.slice(2), process.env);
  if (options.isHelp) {
    console.log(USAGE);
    return 0;
  }
  const result = await resultOf(options);
  for (const line of textReport(result)) console.log(line);
  if (options.json) writeFileSync(options.json, JSON.stringify(result));
  if (options.report) writeFileSync(options.report, htmlReport(result));
  return problemsOf(result).length > 0 ? 1 : 0;
}

try {
  // A request that is never answered must not keep the process.
  process.exit(await main());
} catch (error) {
  if (error instanceof UsageError) console.error(`${error.message}\n\n${USAGE}`);
  else
    console.error(
      `The load test could not be run: ${error.path ?? ''} ${error.status ? error.message : error.stack}`,
    );
  process.exit(2);
}
