// The operations whose cost is measured while the data grows, each as one HTTP request after another.
import { median } from './report.mjs';

/** The names in the order of the report. */
export const OPERATIONS = [
  'join',
  'position',
  'assign',
  'start',
  'complete',
  'rate',
  'details',
  'list',
  'list_count',
  'search',
  'overview',
];

const WARM_UPS = 30;
/** Requests of each operation in one round. */
const REPETITIONS = 15;

let requests = 0;

/** Measures all operations, alternating between the tenants. */
export class Measurement {
  #durations = Object.fromEntries(OPERATIONS.map((name) => [name, []]));
  #count = 0;

  /** Sends requests without measuring them, since the first ones of a service are slower. */
  async warmUp(send, tenants) {
    for (let n = 0; n < WARM_UPS; n++) await this.#requestAll(send, tenants, () => {});
  }

  /**
   * @param send of httpClient
   * @param tenants of readTenants, each with the access token of its owner
   */
  async repeat(send, tenants) {
    const keep = (name, ms) => this.#durations[name].push(ms);
    for (let n = 0; n < REPETITIONS; n++) await this.#requestAll(send, tenants, keep);
  }

  /** @returns the median of each operation in ms */
  medians() {
    return Object.fromEntries(OPERATIONS.map((name) => [name, median(this.#durations[name])]));
  }

  #requestAll(send, tenants, keep) {
    const run = async (name, ...request) => {
      const begin = performance.now();
      const { status, body } = await send(...request);
      if (status !== 200) throw new Error(`${name}: ${status} ${JSON.stringify(body)}`);
      keep(name, performance.now() - begin);
      return body;
    };
    const n = this.#count++;
    return requestAll(run, tenants[n % tenants.length], n);
  }
}

async function requestAll(run, { token, link, waiting, finished, email }, n) {
  const { data } = await run('join', 'POST', `/api/v1/call/${link}/join`, { body: { name: 'Customer' } });
  await run('position', 'GET', `/api/v1/call/status/${waiting}`);
  for (const step of ['assign', 'start', 'complete']) {
    await run(step, 'POST', `/api/v1/calls/${data.call_id}/${step}`, { token, body: {} });
  }
  const rating = { token: data.websocket_token, body: { rating: 5 } };
  await run('rate', 'POST', `/api/v1/call/evaluate/${data.call_id}`, rating);
  await run('details', 'GET', `/api/v1/calls/${finished[n % finished.length]}`, { token });
  await run('list', 'GET', '/api/v1/calls?status=completed', { token });
  // A filter that no request had before, so that the total count is not one that is kept for some seconds.
  const date = new Date(Date.UTC(2000, 0, 1) + requests++).toISOString();
  await run('list_count', 'GET', `/api/v1/calls?status=completed&date_from=${date}`, { token });
  await run('search', 'GET', `/api/v1/calls?search=${encodeURIComponent(email)}`, { token });
  await run('overview', 'GET', '/api/v1/analytics/overview', { token });
}
