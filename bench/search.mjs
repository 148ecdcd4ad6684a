// npm run bench:search: searches 200,000 calls of one tenant, alone and while another tenant reads its call list.
import { benchDatabase } from './support/database.mjs';
import { seedCalls } from './support/seed-calls.mjs';
import { logIn, startService } from './support/service.mjs';

const CALLS = 200_000;
const SEARCHERS = 20;
const FLOOD_MS = 8000;
/** The neighbour's median during the searches, compared with the quiet one. */
const MAX_RATIO = 3;
const NO_MATCH = '/api/v1/calls?search=no%20such%20customer';
const RARE = '/api/v1/calls?search=customer123456';
const FREQUENT = '/api/v1/calls?search=customer';
const LIST = '/api/v1/calls?status=completed';

const database = await benchDatabase();
const cleanups = [database.stop];
try {
  const { password } = await seedCalls(database.url, CALLS);
  const service = await startService(database.url);
  cleanups.push(service.stop);
  const logInAs = (slug) => logIn(service.url, { slug, email: `owner@${slug}.example`, password });
  const [searcher, neighbour] = [await logInAs('bench'), await logInAs('neighbour')];
  for (let n = 0; n < 100; n++) await neighbour('GET', LIST);
  report({
    noMatch: await medianOf(20, () => searcher('GET', NO_MATCH)),
    rare: await medianOf(20, () => searcher('GET', RARE)),
    frequent: await medianOf(5, () => searcher('GET', FREQUENT)),
    quiet: await medianOf(200, () => neighbour('GET', LIST)),
    ...(await flood(searcher, neighbour)),
  });
} finally {
  for (const cleanup of cleanups.toReversed()) await cleanup();
}

/** Searches without a pause, while the neighbour reads its list. */
async function flood(searcher, neighbour) {
  const end = performance.now() + FLOOD_MS;
  let searches = 0;
  const searching = Array.from({ length: SEARCHERS }, async () => {
    while (performance.now() < end) {
      // A search that finds no connection in time is answered with 503.
      await searcher('GET', NO_MATCH).catch(() => undefined);
      searches++;
    }
  });
  const durations = [];
  while (performance.now() < end) durations.push(await duration(() => neighbour('GET', LIST)));
  await Promise.all(searching);
  return { busy: median(durations), rate: (searches * 1000) / FLOOD_MS };
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

function report({ noMatch, rare, frequent, quiet, busy, rate }) {
  console.log(`search of ${CALLS} calls, medians`);
  console.log(`  without a match             ${ms(noMatch)}`);
  console.log(`  one match                   ${ms(rare)}`);
  console.log(`  every call matches          ${ms(frequent)}`);
  console.log(`a neighbour's list of 20 calls`);
  console.log(`  quiet                       ${ms(quiet)}`);
  console.log(`  during ${SEARCHERS} searches at once   ${ms(busy)} (${rate.toFixed(0)} searches/s)`);
  console.log(`  ratio                       ${(busy / quiet).toFixed(1)} (at most ${MAX_RATIO})`);
  if (busy / quiet > MAX_RATIO) process.exitCode = 1;
}
