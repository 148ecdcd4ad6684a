// npm run bench:search: searches 200,000 calls of one tenant, alone and while another tenant reads and searches its calls.
import { benchDatabase } from './support/database.mjs';
import { seedCalls } from './support/seed-calls.mjs';
import { logIn, startService } from './support/service.mjs';

const CALLS = 200_000;
const SEARCHERS = 20;
const FLOOD_MS = 8000;
/** The median of the neighbour's list during the searches, compared with the quiet one. */
const MAX_RATIO = 3;
const SEARCHES = {
  'without a match': '/api/v1/calls?search=no%20such%20customer',
  'one match': '/api/v1/calls?search=customer123456',
  'every call matches': '/api/v1/calls?search=customer',
  'every call matches, by name': '/api/v1/calls?search=customer&sort_by=customer_name',
};
const LIST = '/api/v1/calls?status=completed';
const NEIGHBOUR_SEARCH = SEARCHES['every call matches'];

const database = await benchDatabase();
const cleanups = [database.stop];
try {
  const { password } = await seedCalls(database.url, CALLS);
  const service = await startService(database.url);
  cleanups.push(service.stop);
  const logInAs = (slug) => logIn(service.url, { slug, email: `owner@${slug}.example`, password });
  const [searcher, neighbour] = [await logInAs('bench'), await logInAs('neighbour')];
  for (let n = 0; n < 100; n++) await neighbour('GET', LIST);

  console.log(`search of ${CALLS} calls, medians`);
  for (const [name, path] of Object.entries(SEARCHES)) {
    print(name, ms(await medianOf(5, () => searcher('GET', path))));
  }
  const quiet = {
    list: await medianOf(200, () => neighbour('GET', LIST)),
    search: await medianOf(20, () => neighbour('GET', NEIGHBOUR_SEARCH)),
  };
  console.log(`a neighbour with ${CALLS / 10} calls, medians`);
  print('list of 20 calls, quiet', ms(quiet.list));
  print('own search, quiet', ms(quiet.search));
  for (const [name, path] of Object.entries(SEARCHES)) {
    const busy = await flood(searcher, path, neighbour);
    const ratio = busy.list / quiet.list;
    console.log(`during ${SEARCHERS} searches at once: ${name} (${busy.rate.toFixed(0)} answers/s)`);
    print('list of 20 calls', `${ms(busy.list)}, ratio ${ratio.toFixed(1)} (at most ${MAX_RATIO})`);
    print('own search', `${ms(busy.search)}, the longest ${ms(busy.longestSearch)}`);
    print('own searches refused', busy.refusals);
    if (ratio > MAX_RATIO || busy.refusals > 0) process.exitCode = 1;
  }
} finally {
  for (const cleanup of cleanups.toReversed()) await cleanup();
}

/** Searches without a pause, while the neighbour reads its list and searches. */
async function flood(searcher, path, neighbour) {
  const end = performance.now() + FLOOD_MS;
  const repeat = async (work) => {
    while (performance.now() < end) await work();
  };
  let answers = 0;
  const searching = Array.from({ length: SEARCHERS }, () =>
    repeat(async () => {
      // A search that finds no connection in time is answered with 503.
      await searcher('GET', path).catch(() => undefined);
      answers++;
    }),
  );
  const lists = [];
  const searches = [];
  let refusals = 0;
  await Promise.all([
    repeat(async () => lists.push(await duration(() => neighbour('GET', LIST)))),
    repeat(async () => {
      const search = neighbour('GET', NEIGHBOUR_SEARCH).catch(() => refusals++);
      searches.push(await duration(() => search));
    }),
    ...searching,
  ]);
  return {
    list: median(lists),
    search: median(searches),
    longestSearch: Math.max(...searches),
    refusals,
    rate: (answers * 1000) / FLOOD_MS,
  };
}

async function duration(work) {
  const begin = performance.now();
  await work();
  return performance.now() - begin;
}

async function medianOf(count, work) {
  const durations = [];
  for (let n = 0; n < count; n++) durations.push(await duration(work));
  return median(durations);
}

function median(values) {
  return values.toSorted((one, other) => one - other)[Math.floor(values.length / 2)];
}

function ms(value) {
  return `${value.toFixed(1)} ms`;
}

function print(name, value) {
  console.log(`  ${name.padEnd(28)}${value}`);
}
