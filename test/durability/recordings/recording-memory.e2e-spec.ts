import { createHash } from 'node:crypto';
import { readFileSync } from 'node:fs';
import { TestTenant } from '../../support/builders';
import { ensureBuilt } from '../../support/service/built-service';
import { DataDir } from '../../support/service/data-dir';
import { recordingRows } from '../../support/contexts/recordings';
import { until } from '../../support/until';
import { longRecording } from '../../support/contexts/long-recording';
import { ServiceProcess, stopServices } from '../../support/service/service-process';
import { StorageFolder } from '../../support/service/storage-folder';
import { startTestApp, type TestApp } from '../../support/test-app';

const MIB = 1024 * 1024;
const BYTES = 256 * MIB;
const JWT_SECRET = 'known to both processes';

let test: TestApp;
let tenant: TestTenant;
let service: ServiceProcess;
const storage = new StorageFolder();
const dataDir = new DataDir();

beforeAll(async () => {
  await ensureBuilt();
  // Each of them may inspect the recording.
  test = await startTestApp({ env: { ...storage.env, JWT_SECRET } });
  tenant = await TestTenant.register(test);
  service = await ServiceProcess.start({
    ...storage.env,
    DATABASE_URL: test.databaseUrl,
    DATA_DIR: dataDir.path,
    JWT_SECRET,
    SEED_DEMO: 'false',
  });
}, 120_000);

afterAll(async () => {
  await stopServices();
  await test.close();
  storage.remove();
  dataDir.remove();
});

const residentBytes = (): number => {
  const [, kilobytes] =
    /^VmRSS:\s+(\d+) kB$/m.exec(readFileSync(`/proc/${service.pid}/status`, 'utf8')) ?? [];
  return Number(kilobytes) * 1024;
};

/** The peak growth of the resident memory of the service during `work`, in bytes. */
async function growthDuring(work: () => Promise<void>): Promise<number> {
  const before = residentBytes();
  let peak = before;
  const timer = setInterval(() => (peak = Math.max(peak, residentBytes())), 20);
  await work().finally(() => clearInterval(timer));
  return peak - before;
}

/** Yields the multipart body and passes each chunk of the content to `onChunk`. */
async function* form(content: AsyncIterable<Uint8Array>, onChunk: (chunk: Uint8Array) => void) {
  yield Buffer.from('--x\r\nContent-Disposition: form-data; name="file"; filename="long.webm"\r\n\r\n');
  for await (const chunk of content) {
    onChunk(chunk);
    yield chunk;
  }
  yield Buffer.from('\r\n--x--\r\n');
}

const authorization = () => `Bearer ${tenant.owner.token}`;

interface Stored {
  size: number;
  sha256: string;
}

async function upload(callId: string, bytes: number): Promise<Stored> {
  const hash = createHash('sha256');
  const response = await fetch(`${service.url}/api/v1/calls/${callId}/recording/upload`, {
    method: 'POST',
    headers: { authorization: authorization(), 'content-type': 'multipart/form-data; boundary=x' },
    body: ReadableStream.from(form(longRecording(bytes), (chunk) => hash.update(chunk))),
    duplex: 'half',
  });
  expect(response.status).toBe(201);
  const { data } = (await response.json()) as { data: Stored };
  expect(data.sha256).toBe(hash.digest('hex'));
  return data;
}

async function download(callId: string): Promise<string> {
  const response = await fetch(`${service.url}/api/v1/calls/${callId}/recording`, {
    headers: { authorization: authorization() },
  });
  expect(response.status).toBe(200);
  const hash = createHash('sha256');
  for await (const chunk of response.body ?? []) hash.update(chunk);
  return hash.digest('hex');
}

it('a recording of 256 MiB is uploaded and downloaded with less than 64 MiB of memory', async () => {
  const { link } = await tenant.queue();
  const { call_id: warmUp } = await tenant.join(link);
  // Warms up: modules are loaded once, and V8 keeps about 64 MiB of buffers before it collects any.
  await upload(warmUp, 48 * MIB);
  // The built service parses the container, in a job if it takes longer than the response waits.
  await until(async () => (await recordingRows(test, warmUp))[0]?.duration > 0);
  await download(warmUp);

  const { call_id } = await tenant.join(link);
  let stored: Stored = { size: 0, sha256: '' };
  const up = await growthDuring(async () => void (stored = await upload(call_id, BYTES)));
  expect(stored.size).toBeGreaterThanOrEqual(BYTES);
  const down = await growthDuring(async () => expect(await download(call_id)).toBe(stored.sha256));
  expect(up).toBeLessThan(64 * MIB);
  expect(down).toBeLessThan(64 * MIB);
}, 120_000);
