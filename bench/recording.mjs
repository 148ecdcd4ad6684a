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

const SIZE = Number(process.env.BENCH_BYTES ?? 2_000_000_000);
/** Loads all code, and fills the up to 64 MiB of buffers that V8 keeps before it collects them. */
const WARM_UP = 100_000_000;
const RANGE = 1_000_000;
const MOST_GROWTH_MIB = 64;
const { cnpj } = createRequire(import.meta.url)('cpf-cnpj-validator');

const folder = mkdtempSync(join(tmpdir(), 'video-queue-bench-'));
const stops = [async () => rmSync(folder, { recursive: true, force: true })];
try {
  const database = await benchDatabase();
  stops.push(database.stop);
  console.log(`${SIZE / 1e6} MB`);
  await measureBare();
  await measureService('folder', database.url, pathToFileURL(join(folder, 'files')).toString());
  await measureService('bucket', database.url, await startBucket());
} finally {
  for (const stop of stops.toReversed()) await stop();
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
  stops.push(stop);
  const content = recording(SIZE);
  const up = await timed(() => uploadPlain(url, content));
  const down = await timed(() => download(`${url}/file`, {}));
  check('bare', down.result, 200, SIZE, content.digest());
  await stop();
  rmSync(file);
  report('bare server', up, down);
}

async function measureService(name, databaseUrl, storageUrl) {
  const { url, pid, stop } = await startService(databaseUrl, storageUrl);
  const { path, headers } = await makeCall(url, databaseUrl);
  const idle = residentMib(pid);
  await uploadForm(`${url}${path}/upload`, headers, recording(Math.min(WARM_UP, SIZE)));
  await download(url + path, headers);
  const memory = watchMemory(pid);
  const content = recording(SIZE);
  const up = await timed(() => uploadForm(`${url}${path}/upload`, headers, content));
  const peak = { up: memory.take() };
  const digest = content.digest();
  if (up.result.data.sha256 !== digest) throw new Error(`${name}: something else was stored`);
  const down = await timed(() => download(url + path, headers));
  peak.down = memory.take();
  check(name, down.result, 200, SIZE, digest);
  await checkEnd(name, url + path, headers, content);
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
  stops.push(stop);
  return { url, pid: stop.pid, stop };
}

async function startBucket() {
  const port = await freePort();
  const endpoint = `http://127.0.0.1:${port}`;
  const settings = { BENCH_FOLDER: join(folder, 's3'), PORT: String(port) };
  stops.push(await startProcess('bench/support/s3-server.mjs', settings, endpoint));
  return `s3://S3RVER:S3RVER@calls?endpoint=${endpoint}`;
}

/** Creates a call on a plan with recordings. @returns the path of its recording and request headers */
async function makeCall(url, databaseUrl) {
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
  const answer = await fetch(url, {
    method: 'POST',
    headers: { 'content-type': 'application/json', ...headers },
    body: JSON.stringify(body),
  });
  if (!answer.ok) throw new Error(`${url}: ${answer.status} ${await answer.text()}`);
  return answer.json();
}

/** Requests the last bytes, which players read first. */
async function checkEnd(name, url, headers, content) {
  const range = { ...headers, range: `bytes=-${RANGE}` };
  const hash = createHash('sha256').update(content.end(RANGE)).digest('hex');
  check(`${name}, its end`, await download(url, range), 206, RANGE, hash);
}

function check(name, found, status, size, sha256) {
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
  const take = () => {
    const taken = peak;
    peak = residentMib(pid);
    return taken;
  };
  return { before, take, stop: () => clearInterval(timer) };
}

async function timed(work) {
  const start = performance.now();
  const result = await work();
  return { result, rate: SIZE / 1000 / (performance.now() - start) };
}

function report(name, inwards, outwards, memory) {
  console.log(`${name.padEnd(18)} in ${inwards.rate.toFixed(0)} MB/s, out ${outwards.rate.toFixed(0)} MB/s`);
  if (!memory) return;
  const growth = Math.max(memory.up, memory.down) - memory.before;
  const [idle, before, up, down] = [memory.idle, memory.before, memory.up, memory.down].map(Math.round);
  console.log(`  resident memory  ${idle} MiB idle, ${before} warmed up, at most ${up} in and ${down} out`);
  console.log(`  growth           ${growth.toFixed(1)} MiB (less than ${MOST_GROWTH_MIB})`);
  if (growth > MOST_GROWTH_MIB) process.exitCode = 1;
}
