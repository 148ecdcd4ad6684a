import { Injectable, Module, type OnModuleInit } from '@nestjs/common';
import { Database } from '../../src/platform/database/database';
import { Jobs } from '../../src/platform/jobs/jobs';
import { InstallationPause } from '../../src/platform/database/installation/installation-pause';
import { OutboundGate } from '../../src/platform/database/installation/outbound-gate';
import { startTestApp, type TestApp } from '../support/test-app';
import { until } from '../support/until';

const NAME = 'probe';
const OUTBOUND = 'outbound-probe';
/** Less than the time after which a worker looks for jobs by itself. */
const MAX_WAIT_MS = 30_000;

@Injectable()
class ProbeJobs implements OnModuleInit {
  readonly done: string[] = [];
  failures = 0;

  constructor(private readonly jobs: Jobs) {}

  onModuleInit(): void {
    this.jobs.handle<{ name: string }>(NAME, async ({ name }) => {
      if (name === 'failing once' && this.failures++ === 0) throw new Error('The first attempt fails');
      this.done.push(name);
    });
    this.jobs.handle<{ name: string }>(OUTBOUND, async ({ name }) => void this.done.push(name), {
      concurrency: 2,
      isOutbound: true,
    });
  }
}

@Module({ providers: [ProbeJobs] })
class ProbeModule {}

let test: TestApp;

beforeAll(async () => {
  test = await startTestApp({ imports: [ProbeModule] });
});

afterAll(() => test.close());

const waitFor = (name: string) =>
  until(
    () => test.get(ProbeJobs).done.includes(name),
    () => `the job ${name} has not run`,
    MAX_WAIT_MS,
  );

describe('a job', () => {
  it('of another instance runs, although nothing wakes the workers of this one', async () => {
    await test.get(Jobs)['boss'].send(NAME, { name: 'elsewhere' });
    await waitFor('elsewhere');
  });

  it('that failed is tried again', async () => {
    await test.get(Database).system((tx) => test.get(Jobs).enqueue(tx, NAME, { name: 'failing once' }));
    await waitFor('failing once');
    expect(test.get(ProbeJobs).failures).toBe(2);
  });

  it('runs when its delay is over and not before', async () => {
    const begin = performance.now();
    await test
      .get(Database)
      .system((tx) => test.get(Jobs).enqueue(tx, NAME, { name: 'delayed' }, { afterSeconds: 2 }));
    await waitFor('delayed');
    // A little less than 2 s, since the delay is measured by the clock of the database.
    expect(performance.now() - begin).toBeGreaterThan(1900);
  });

  it('that sends something waits while the installation is paused, without using up an attempt', async () => {
    const gate = test.get(OutboundGate);
    const enqueue = (queue: string, name: string) =>
      test.get(Database).system((tx) => test.get(Jobs).enqueue(tx, queue, { name }));
    const installation = test.get(InstallationPause);
    await installation.pause();
    await until(() => gate.isPaused);
    await enqueue(OUTBOUND, 'sent later');
    // The look for due jobs that finds the delayed one would also have found the job that waits.
    await enqueue(NAME, 'not sent');
    await test
      .get(Database)
      .system((tx) => test.get(Jobs).enqueue(tx, NAME, { name: 'a little later' }, { afterSeconds: 3 }));
    await waitFor('not sent');
    await waitFor('a little later');
    const { rows } = await test.db.query('SELECT state, retry_count FROM pgboss.job WHERE name = $1', [
      OUTBOUND,
    ]);
    expect(rows).toEqual([{ state: 'created', retry_count: 0 }]);
    await installation.resume();
    await waitFor('sent later');
    await enqueue(OUTBOUND, 'sent at once');
    await waitFor('sent at once');
  });
});
