import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { ensureBuilt } from '../../support/service/built-service';
import { until } from '../../support/until';

const ROOT = join(__dirname, '../../..');

/** Inspects a WebM that sends the parser into an endless loop, and prints the identifier of the inspection's process. */
const SERVICE = `
  const { readFileSync } = require('node:fs');
  const { InspectionProcess } = require('./dist/src/recordings/inspection-process.js');
  const content = Buffer.concat([readFileSync('test/fixtures/call.webm'), Buffer.alloc(40_000)]);
  const read = (start, end) => Promise.resolve(content.subarray(start, end + 1));
  const limits = { durationMs: 600_000, silenceMs: 600_000, bytes: 2 ** 30, readBytes: 2 ** 22, reads: 1000 };
  const inspection = new InspectionProcess();
  void inspection.inspect(read, content.length, limits, () => console.log(inspection.worker.pid));
`;

const cpuTicks = (pid: number): number => {
  const fields = readFileSync(`/proc/${pid}/stat`, 'utf8').split(') ')[1]?.split(' ') ?? [];
  return Number(fields[11]);
};

const isRunning = (pid: number): boolean => {
  try {
    // A zombie has ended, but is listed until its new parent asks for it.
    return !/\) Z /.test(readFileSync(`/proc/${pid}/stat`, 'utf8'));
  } catch {
    return false;
  }
};

beforeAll(ensureBuilt, 120_000);

it('an inspection in an endless loop ends when the service was killed', async () => {
  const service = spawn(process.execPath, ['-e', SERVICE], {
    cwd: ROOT,
    stdio: ['ignore', 'pipe', 'inherit'],
  });
  const [output] = (await once(service.stdout, 'data')) as [Buffer];
  const pid = Number(output.toString());
  const ticksAtReport = cpuTicks(pid);
  await until(
    () => cpuTicks(pid) > ticksAtReport + 50,
    () => 'the parser never looped',
  );
  service.kill('SIGKILL');
  await once(service, 'exit');
  await until(
    () => !isRunning(pid),
    () => 'the inspection went on without its service',
  );
});
