// npm run bench:recording: uploads a recording of 2 GB and downloads it again, with the storage in a folder and in a
// bucket. It compares the speed with a bare server that writes a file, and measures the memory of the service.
import { execFile } from 'node:child_process';
import { createHash } from 'node:crypto';
import { mkdtempSync, rmSync } from 'node:fs';
import { createRequire } from 'node:module';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { pathToFileURL } from 'node:url';
import { promisify } from 'node:util';
import { benchDatabase } from './support/database.mjs';
import { growthMib, residentMib } from './support/memory.mjs';
import { freePort, startProcess } from './support/processes.mjs';
import { progress, report, row } from './support/report.mjs';
import { PASSWORD } from './support/seed-calls.mjs';
import { logIn, startService } from './support/service.mjs';
import { download, recording, uploadForm, uploadPlain } from './support/transfers.mjs';

const SIZE_BYTES = Number(process.env.BENCH_BYTES ?? 2_000_000_000);
/** Loads all code, and fills the up to 64 MiB of buffers that V8 keeps before it collects them. */
const WARM_UP_BYTES = 100_000_000;
const RANGE_BYTES = 1_000_000;
const MAX_GROWTH_MIB = 64;
const { cnpj } = createRequire(import.meta.url)('cpf-cnpj-validator');

const database = await benchDatabase();
const folder = mkdtempSync(join(tmpdir(), 'video-queue-bench-'));
const cleanups = [async () => rmSync(folder, { recursive: true, force: true }), database.stop];
try {
  progress(`${SIZE_BYTES / 1e6} MB`);
  const bare = await measureBare();
  const inFolder = await measureService('folder', pathToFileURL(join(folder, 'files')).toString());
  const inBucket = await measureService('bucket', await startBucket());
  report([
    rowOf('recording', inFolder.up, bare.up, inFolder),
    rowOf('recording_download', inFolder.down, bare.down),
    rowOf('recording_bucket', inBucket.up, bare.up, inBucket),
    rowOf('recording_bucket_download', inBucket.down, bare.down),
  ]);
  for (const { growth_mib } of [inFolder, inBucket]) {
    if (growth_mib >= MAX_GROWTH_MIB)
      throw new Error(`The memory grew by ${growth_mib.toFixed(1)} MiB (less than ${MAX_GROWTH_MIB}).`);
  }
} finally {
  for (const cleanup of cleanups.toReversed()) await cleanup();
}

/** @returns the speeds in MB/s */
async function measureBare() {
  const port = await freePort();
  const url = `http://127.0.0.1:${port}`;
  const file = join(folder, 'bare');
  const stop = await startProcess(
    'bench/support/bare-upload.mjs',
    { BENCH_FILE: file, PORT: String(port) },
    url,
  );
  cleanups.push(stop);
  const content = recording(SIZE_BYTES);
  const up = await timed(() => uploadPlain(url, content));
  const down = await timed(() => download(`${url}/file`, {}));
  ensureTransferred('bare', down.result, 200, SIZE_BYTES, content.digest());
  await stop();
  rmSync(file);
  return { up: up.rate, down: down.rate };
}

/** @returns the speeds in MB/s and the growth of the memory in MiB */
async function measureService(name, storageUrl) {
  const storage = { DATA_DIR: folder, STORAGE_URL: storageUrl };
  const { url, stop } = await startService(database.url, storage);
  cleanups.push(stop);
  const { path, headers } = await createCall(url);
  const idle = residentMib(stop.pid);
  await uploadForm(`${url}${path}/upload`, headers, recording(Math.min(WARM_UP_BYTES, SIZE_BYTES)));
  await download(url + path, headers);
  const content = recording(SIZE_BYTES);
  let up;
  let down;
  const { before, growth } = await growthMib(stop.pid, async () => {
    up = await timed(() => uploadForm(`${url}${path}/upload`, headers, content));
    down = await timed(() => download(url + path, headers));
  });
  const digest = content.digest();
  if (up.result.data.sha256 !== digest) throw new Error(`${name}: something else was stored`);
  ensureTransferred(name, down.result, 200, SIZE_BYTES, digest);
  await downloadEnd(name, url + path, headers, content);
  await stop();
  progress(`${name}: resident memory ${Math.round(idle)} MiB idle, ${Math.round(before)} warmed up`);
  progress(`${name}: growth ${growth.toFixed(1)} MiB (less than ${MAX_GROWTH_MIB})`);
  return { up: up.rate, down: down.rate, growth_mib: growth };
}

async function startBucket() {
  const port = await freePort();
  const endpoint = `http://127.0.0.1:${port}`;
  const settings = { BENCH_FOLDER: join(folder, 's3'), PORT: String(port) };
  cleanups.push(await startProcess('bench/support/s3-server.mjs', settings, endpoint));
  return `s3://S3RVER:S3RVER@calls?endpoint=${endpoint}`;
}

/** Creates a call on a plan with recordings. @returns the path of its recording and request headers */
async function createCall(url) {
  const account = { email: 'olga@example.com', password: PASSWORD };
  const registered = await post(`${url}/api/signup/register`, {
    company_name: 'Bench',
    document: cnpj.generate(),
    document_type: 'cnpj',
    admin_name: 'Olga Owner',
    admin_email: account.email,
    admin_password: account.password,
    plan: 'free',
  });
  const tenant = registered.data.tenant.slug;
  await promisify(execFile)(
    process.execPath,
    ['dist/src/cli.js', 'tenant', 'set-plan', tenant, 'enterprise'],
    {
      env: { ...process.env, DATABASE_URL: database.url, DATA_DIR: folder },
    },
  );
  const { token } = await logIn(url, { slug: tenant, ...account });
  const headers = { authorization: `Bearer ${token}` };
  const department = await post(`${url}/api/v1/departments`, { department: { name: 'Support' } }, headers);
  const link = await post(`${url}/api/v1/access-links`, { department_id: department.data.id }, headers);
  const call = await post(`${url}/api/v1/call/${link.data.token}/join`, { name: 'João Lima' });
  return { path: `/api/v1/calls/${call.data.call_id}/recording`, headers };
}

async function post(url, body, headers = {}) {
  const response = await fetch(url, {
    method: 'POST',
    headers: { 'content-type': 'application/json', ...headers },
    body: JSON.stringify(body),
  });
  if (!response.ok) throw new Error(`${url}: ${response.status} ${await response.text()}`);
  return response.json();
}

/** Requests the last bytes, which players read first. */
async function downloadEnd(name, url, headers, content) {
  const range = { ...headers, range: `bytes=-${RANGE_BYTES}` };
  const hash = createHash('sha256').update(content.end(RANGE_BYTES)).digest('hex');
  ensureTransferred(`${name}, its end`, await download(url, range), 206, RANGE_BYTES, hash);
}

function ensureTransferred(name, found, status, size, sha256) {
  if (found.status === status && found.size === size && found.sha256 === sha256) return;
  throw new Error(`${name} gave something else: ${JSON.stringify(found)}`);
}

async function timed(work) {
  const start = performance.now();
  const result = await work();
  return { result, rate: SIZE_BYTES / 1000 / (performance.now() - start) };
}

function rowOf(name, value, peer, { growth_mib } = {}) {
  return row({ name, value, unit: 'MB/s', peer, growth_mib });
}
