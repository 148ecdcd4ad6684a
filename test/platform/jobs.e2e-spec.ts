import { Injectable, Module, type OnModuleInit } from '@nestjs/common';
import { Database } from '../../src/platform/database/database';
import { Jobs } from '../../src/platform/jobs/jobs';
import { startTestApp, type TestApp } from '../support/test-app';
import { until } from '../support/until';

const NAME = 'probe';

@Injectable()
class ProbeJobs implements OnModuleInit {
  readonly done: string[] = [];

  constructor(private readonly jobs: Jobs) {}

  onModuleInit(): void {
    this.jobs.handle<{ name: string }>(NAME, async ({ name }) => void this.done.push(name));
  }
}

@Module({ providers: [ProbeJobs] })
class ProbeModule {}

let test: TestApp;

beforeAll(async () => {
  test = await startTestApp({ imports: [ProbeModule] });
});

afterAll(() => test.close());

describe('a job', () => {
  it('of another instance runs, although nothing wakes the workers of this one', async () => {
    await test.get(Jobs)['boss'].send(NAME, { name: 'elsewhere' });
    await until(() => test.get(ProbeJobs).done.includes('elsewhere'));
  });

  it('runs when its delay is over and not before', async () => {
    const begin = performance.now();
    await test
      .get(Database)
      .system((tx) => test.get(Jobs).enqueue(tx, NAME, { name: 'delayed' }, { afterSeconds: 2 }));
    await until(() => test.get(ProbeJobs).done.includes('delayed'));
    // Seconds of the database count, which started during the first one.
    expect(performance.now() - begin).toBeGreaterThan(1900);
  });
});
