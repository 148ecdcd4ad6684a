// One process of a load test: prepares its agents, lets customers come, and returns the result.
import { setTimeout as sleep } from 'node:timers/promises';
import { Agent } from './actors/agent.mjs';
import { Customer } from './actors/customer.mjs';
import { Supervisor } from './actors/supervisor.mjs';
import { httpClient } from './client/http.mjs';
import { InterruptedError } from './client/peer.mjs';
import { Company } from './company.mjs';
import { Recorder } from './figures/recorder.mjs';
import { removeCompany } from './remove-company.mjs';

/** Who never answers at the end does not hold it up for longer than this many times the limit of an answer. */
const MAX_END_TIMEOUTS = 3;

/** What all actors of a test share. */
class Run {
  customers = new Map();
  recorder;
  company;
  send;
  url;
  timeoutMs;
  answerSeconds;
  talkSeconds;
  #end = new AbortController();
  /** Resolves at the end of the test. */
  over = new Promise((resolve) =>
    this.#end.signal.addEventListener('abort', () => resolve(), { once: true }),
  );

  constructor({ url, timeoutSeconds, answerSeconds, talkSeconds, serviceLevelSeconds }, notice) {
    Object.assign(this, { url, answerSeconds, talkSeconds, timeoutMs: timeoutSeconds * 1000 });
    this.send = httpClient(url, this.timeoutMs);
    this.recorder = new Recorder(serviceLevelSeconds);
    this.company = new Company(this.send, this.recorder, notice);
  }

  get isOver() {
    return this.#end.signal.aborted;
  }

  end() {
    this.recorder.stopMeasuring();
    this.#end.abort();
  }

  /** Ends early at the end of the test. */
  async sleep(ms) {
    if (ms > 0) await sleep(ms, undefined, { signal: this.#end.signal }).catch(() => {});
  }

  /** Measures `work`. @returns its result, or undefined after an error, which is counted */
  try(step, work) {
    return this.tryUnmeasured(step, async () => {
      const begin = performance.now();
      const result = await work();
      this.recorder.duration(step, performance.now() - begin);
      return result;
    });
  }

  async tryUnmeasured(step, work) {
    try {
      return await work();
    } catch (error) {
      // At the end of the test, peers are closed whatever they do.
      if (!this.isOver || !(error instanceof InterruptedError)) this.recorder.error(step, error);
      return undefined;
    }
  }
}

/**
 * @param options of parseOptions
 * @param reporter `notice` gets sentences, `progress` the figures of each second
 * @param signal ends the test before its time
 * @returns the result, as Recorder.result describes it
 * @throws RequestError if the test cannot be prepared
 */
export async function runLoadTest(options, reporter, signal) {
  const run = new Run(options, reporter.notice);
  const { company, recorder } = run;
  const agents = [];
  const supervisor = new Supervisor(run);
  let isPrepared = false;
  try {
    await company.prepare(options, signal);
    agents.push(...company.agents.map((account) => new Agent(run, account)));
    await Promise.all([supervisor.connect(), ...agents.map((agent) => agent.connect())]);
    isPrepared = true;
    signal.addEventListener('abort', () => run.end());
    if (signal.aborted) run.end();
    const ticking = setInterval(() => reporter.progress(recorder.tick()), 1000);
    const ending = setTimeout(() => run.end(), options.minutes * 60_000);
    const working = Promise.all([supervisor.work(), ...agents.map((agent) => agent.work())]);
    const visits = Promise.all(customerVisits(run, options));
    await run.over;
    clearTimeout(ending);
    await finish(run, working, visits);
    clearInterval(ticking);
    return recorder.result(options);
  } finally {
    run.end();
    // Why sockets were refused, for example because the company requires MFA.
    if (!isPrepared) for (const error of recorder.errorNames) reporter.notice(error);
    supervisor.close();
    for (const agent of agents) agent.close();
    if (!options.isKept) await removeCompany(company, endTimeoutMs(run), reporter.notice);
    run.send.close();
  }
}

/** Each place is taken by one customer after another; together they join at most at the rate of the options. */
function customerVisits(run, { customers, joinRate }) {
  let nextAt = performance.now();
  const takeTurn = async () => {
    const at = Math.max(nextAt, performance.now());
    nextAt = at + 1000 / joinRate;
    await run.sleep(at - performance.now());
  };
  const { departments } = run.company;
  return Array.from({ length: customers }, async (_, number) => {
    while (!run.isOver) {
      await takeTurn();
      if (!run.isOver) await new Customer(run, departments[number % departments.length]).visit();
    }
  });
}

/** Calls in progress are completed and rated, customers who still wait leave. */
async function finish(run, working, visits) {
  await withTimeout(run, working);
  await withTimeout(run, Promise.all([...run.customers.values()].map((customer) => customer.leave())));
  await withTimeout(run, visits);
}

const withTimeout = (run, work) => Promise.race([work, sleep(endTimeoutMs(run), undefined, { ref: false })]);

const endTimeoutMs = ({ timeoutMs }) => MAX_END_TIMEOUTS * timeoutMs;
