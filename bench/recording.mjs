// npm run bench:recording: uploads a recording of 2 GB and downloads it again, with the storage in a folder and in a
// bucket. It compares the speed with a bare server that writes a file, and measures the memory of the service.
import { execFile } from 'node:child_process';
import { createHash } from 'node:crypto';
import { mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { createRequire } from 'node:module';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { pathToFileURL } from 'node:url';
import { promisify } from 'node:util';
import { benchDatabase } from './support/database.mjs';
import { freePort, startProcess } from './support/processes.mjs';
import { download, recording, uploadForm, uploadPlain } from './support/transfers.mjs';

const SIZE_BYTES = Number(process.env.BENCH_BYTES ?? 2_000_000_000);
/** Loads all code, and fills the up to 64 MiB of buffers that V8 keeps before it collects them. */
const WARM_UP_BYTES = 100_000_000;
const RANGE_BYTES = 1_000_000;
const MAX_GROWTH_MIB = 64;
const { cnpj } = createRequire(import.meta.url)('cpf-cnpj-validator');

const folder = mkdtempSync(join(tmpdir(), 'video-queue-bench-'));
const cleanups = [async () => rmSync(folder, { recursive: true, force: true })];
try {
  const database = await benchDatabase();
  cleanups.push(database.stop);
  console.log(`${SIZE_BYTES / 1e6} MB`);
  await measureBare();
  await measureService('folder', database.url, pathToFileURL(join(folder, 'files')).toString());
  await measureService('bucket', database.url, await startBucket());
} finally {
  for (const cleanup of cleanups.toReversed()) await cleanup();
}

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
  report('bare server', up, down);
}

async function measureService(name, databaseUrl, storageUrl) {
  const { url, pid, stop } = await startService(databaseUrl, storageUrl);
  const { path, headers } = await createCall(url, databaseUrl);
  const idle = residentMib(pid);
  await uploadForm(`${url}${path}/upload`, headers, recording(Math.min(WARM_UP_BYTES, SIZE_BYTES)));
  await download(url + path, headers);
  const memory = watchMemory(pid);
  const content = recording(SIZE_BYTES);
  const up = await timed(() => uploadForm(`${url}${path}/upload`, headers, content));
  const peak = { up: memory.takePeak() };
  const digest = content.digest();
  if (up.result.data.sha256 !== digest) throw new Error(`${name}: something else was stored`);
  const down = await timed(() => download(url + path, headers));
  peak.down = memory.takePeak();
  ensureTransferred(name, down.result, 200, SIZE_BYTES, digest);
  await downloadEnd(name, url + path, headers, content);
  memory.stop();
  await stop();
  report(`service, ${name}`, up, down, { idle, before: memory.before, ...peak });
}

async function startService(databaseUrl, storageUrl) {
  const port = await freePort();
  const url = `http://127.0.0.1:${port}`;
  const settings = {
    NODE_ENV: 'development',
    DATABASE_URL: databaseUrl,
    DATA_DIR: folder,
    STORAGE_URL: storageUrl,
    PORT: String(port),
    HOST: '127.0.0.1',
    SEED_DEMO: 'false',
    LOG_FORMAT: 'json',
  };
  const stop = await startProcess('dist/src/main.js', settings, `${url}/readyz`);
  cleanups.push(stop);
  return { url, pid: stop.pid, stop };
}

async function startBucket() {
  const port = await freePort();
  const endpoint = `http://127.0.0.1:${port}`;
  const settings = { BENCH_FOLDER: join(folder, 's3'), PORT: String(port) };
  cleanups.push(await startProcess('bench/support/s3-server.mjs', settings, endpoint));
  return `s3://S3RVER:S3RVER@calls?endpoint=${endpoint}`;
}

/** Creates a call on a plan with recordings. @returns the path of its recording and request headers */
async function createCall(url, databaseUrl) {
  const account = { email: 'olga@example.com', password: 'a passphrase for the benchmark' };
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
      env: { ...process.env, DATABASE_URL: databaseUrl, DATA_DIR: folder },
    },
  );
  const { access_token } = await post(`${url}/api/auth/login`, { tenant, ...account });
  const headers = { authorization: `Bearer ${access_token}` };
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

function residentMib(pid) {
  return Number(/VmRSS:\s+(\d+) kB/.exec(readFileSync(`/proc/${pid}/status`, 'utf8'))[1]) / 1024;
}

/** Samples the resident memory of a process ten times a second. */
function watchMemory(pid) {
  const before = residentMib(pid);
  let peak = before;
  const timer = setInterval(() => (peak = Math.max(peak, residentMib(pid))), 100);
  const takePeak = () => {
    const previousPeak = peak;
    peak = residentMib(pid);
    return previousPeak;
  };
  return { before, takePeak, stop: () => clearInterval(timer) };
}

async function timed(work) {
  const start = performance.now();
  const result = await work();
  return { result, rate: SIZE_BYTES / 1000 / (performance.now() - start) };
}

function report(name, uploadResult, downloadResult, memory) {
  console.log(
    `${name.padEnd(18)} in ${uploadResult.rate.toFixed(0)} MB/s, out ${downloadResult.rate.toFixed(0)} MB/s`,
  );
  if (!memory) return;
  const growth = Math.max(memory.up, memory.down) - memory.before;
  const [idle, before, up, down] = [memory.idle, memory.before, memory.up, memory.down].map(Math.round);
  console.log(`  resident memory  ${idle} MiB idle, ${before} warmed up, at most ${up} in and ${down} out`);
  console.log(`  growth           ${growth.toFixed(1)} MiB (less than ${MAX_GROWTH_MIB})`);
  if (growth > MAX_GROWTH_MIB) process.exitCode = 1;
}
