import { execFileSync } from 'node:child_process';
import {
  cpSync,
  mkdirSync,
  mkdtempSync,
  readFileSync,
  readdirSync,
  rmSync,
  statSync,
  writeFileSync,
} from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { Client } from 'pg';
import { parse } from 'yaml';
import { DebianPostgres, describeWithDebianPostgres } from '../../support/database/debian-postgres';
import { runCli } from '../../support/service/cli';
import { REPOSITORY } from '../../support/service/built-service';

const SCRIPTS = join(REPOSITORY, 'deploy', 'compose');

/** A folder with the scripts, like that of an installation. */
const installation = mkdtempSync(join(tmpdir(), 'video-queue-compose-'));
mkdirSync(join(installation, 'deploy'));
cpSync(SCRIPTS, join(installation, 'deploy', 'compose'), { recursive: true });
const makeSecrets = () => execFileSync(join(installation, 'deploy', 'compose', 'make-secrets.sh'));
const secret = (name: string) => readFileSync(join(installation, 'secrets', name), 'utf8');

beforeAll(makeSecrets);
afterAll(() => rmSync(installation, { recursive: true }));

describe('make-secrets.sh', () => {
  it('makes every secret of compose.yaml, in a folder that only its owner may enter', () => {
    const { secrets } = parse(readFileSync(join(REPOSITORY, 'compose.yaml'), 'utf8')) as { secrets: object };
    expect(readdirSync(join(installation, 'secrets'))).toEqual(Object.keys(secrets).toSorted());
    expect(statSync(join(installation, 'secrets')).mode & 0o777).toBe(0o700);
    for (const name of Object.keys(secrets)) {
      // Containers read them as users of their own.
      expect(statSync(join(installation, 'secrets', name)).mode & 0o777).toBe(0o444);
    }
    expect(secret('jwt_secret')).toMatch(/^[0-9a-f]{64}$/);
    expect(secret('database_url')).toContain(`:${secret('database_password')}@postgres:5432/`);
  });

  it('changes none that exists', () => {
    const before = secret('jwt_secret');
    rmSync(join(installation, 'secrets', 'turn_secret'), { force: true });
    makeSecrets();
    expect(secret('jwt_secret')).toBe(before);
    expect(secret('turn_secret')).toMatch(/^[0-9a-f]{64}$/);
  });
});

describeWithDebianPostgres('init-database.sh', () => {
  let postgres: DebianPostgres;
  let url: string;

  beforeAll(async () => {
    postgres = await DebianPostgres.start();
    const password = join(postgres.folder, 'password');
    writeFileSync(password, secret('database_password'), { mode: 0o444 });
    const { code, stderr } = await postgres.script(`sh ${join(SCRIPTS, 'init-database.sh')}`, {
      POSTGRES_USER: 'postgres',
      DATABASE_PASSWORD_FILE: password,
    });
    expect([code, stderr]).toEqual([0, '']);
    url = secret('database_url').replace('@postgres:5432', `@127.0.0.1:${postgres.port}`);
  });

  afterAll(() => postgres?.remove());

  it('creates a login that is no superuser, may create no roles, and is enough for the migration', async () => {
    const client = new Client({ connectionString: url });
    await client.connect();
    const { rows } = await client.query(
      'SELECT rolname, rolsuper, rolcreaterole, rolcreatedb, rolbypassrls FROM pg_roles WHERE rolname = current_user',
    );
    await client.end();
    expect(rows).toEqual([
      {
        rolname: 'video_queue_owner',
        rolsuper: false,
        rolcreaterole: false,
        rolcreatedb: false,
        rolbypassrls: false,
      },
    ]);
    const migrated = await runCli(['migrate'], { DATABASE_URL: url, DATABASE_ROLE: '' });
    expect([migrated.code, migrated.stderr]).toEqual([0, '']);
    const check = await runCli(['migrate', '--check'], { DATABASE_URL: url, DATABASE_ROLE: '' });
    expect([check.code, check.stderr]).toEqual([0, '']);
  });
});
