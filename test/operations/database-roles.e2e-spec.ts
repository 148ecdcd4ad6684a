import { randomBytes } from 'node:crypto';
import { Client } from 'pg';
import type { QueryRunner } from 'typeorm';
import { MIGRATIONS } from '../../migrations/index';
import { prepareDatabase } from '../../src/operator/migration/prepare-database';
import { requireSchema } from '../../src/operator/migration/schema-state';
import { FORMER_ROLE } from '../../src/operator/migration/role-name';
import { asSuperuser, cloneDatabase, databaseUrl } from '../support/database/database';
import { documentedScript } from '../support/documented-script';

const PASSWORD = 'a-long-random-password';
const INSUFFICIENT_PRIVILEGE = { code: '42501' };
const MANAGED = documentedScript('database.md', 'The login may not create roles', 0, 'sql');

const administrate = (...statements: string[]) =>
  asSuperuser(databaseUrl('postgres'), async (client) => {
    for (const statement of statements) await client.query(statement);
  });
const randomName = (what: string) => `${what}_${randomBytes(4).toString('hex')}`;

function urlOf(login: string, database: string): string {
  const url = new URL(databaseUrl(database));
  url.username = login;
  url.password = PASSWORD;
  return url.toString();
}

/** Runs one statement as a login, as one of the roles that it may become. @throws the database's error */
async function query(url: string, sql: string, role?: string): Promise<unknown[]> {
  const client = new Client({ connectionString: url });
  await client.connect();
  try {
    if (role) await client.query(`SET ROLE ${role}`);
    return (await client.query(sql)).rows;
  } finally {
    await client.end();
  }
}

/** Names of databases, roles and logins, which are dropped at the end in this order. */
const databases: string[] = [];
const roles: string[] = [];

afterEach(async () => {
  await administrate(...databases.splice(0).map((name) => `DROP DATABASE IF EXISTS ${name} WITH (FORCE)`));
  await administrate(...roles.splice(0).map((name) => `DROP ROLE IF EXISTS ${name}`));
});

it('databases of one server have roles of their own, which reach only their own database', async () => {
  const [admin, one, other] = [randomName('admin'), randomName('one'), randomName('other')];
  databases.push(one, other);
  roles.push(`${one}_service`, `${other}_service`, `${one}_owner`, `${other}_owner`, admin);
  // The documented statements, as an administrator of a managed server runs them.
  await administrate(`CREATE ROLE ${admin} LOGIN CREATEROLE CREATEDB PASSWORD '${PASSWORD}'`);
  const statements = MANAGED.replaceAll('video_queue', one).split(/;\n/).filter(Boolean);
  for (const statement of statements) await query(urlOf(admin, 'postgres'), statement);
  // A login that creates its role itself.
  await administrate(
    `CREATE ROLE ${other}_owner LOGIN CREATEROLE PASSWORD '${PASSWORD}'`,
    `CREATE DATABASE ${other} OWNER ${other}_owner`,
  );
  const [mine, theirs] = [one, other].map((name) => urlOf(`${name}_owner`, name)) as [string, string];
  expect(await Promise.all([mine, theirs].map((url) => prepareDatabase(url)))).toEqual([
    `${one}_service`,
    `${other}_service`,
  ]);

  expect(await query(mine, 'SELECT FROM calls', `${one}_service`)).toEqual([]);
  for (const [login, database] of [
    [`${one}_owner`, other],
    [`${other}_owner`, one],
    [admin, other],
  ] as const) {
    await expect(query(urlOf(login, database), 'SELECT 1')).rejects.toMatchObject(INSUFFICIENT_PRIVILEGE);
  }
  await expect(query(mine, 'SELECT 1', `${other}_service`)).rejects.toMatchObject(INSUFFICIENT_PRIVILEGE);
  // Even with a connection it could read nothing.
  for (const sql of ['SELECT FROM calls', 'SELECT FROM pgboss.job', 'SELECT FROM migrations']) {
    const attempt = query(databaseUrl(other), sql, `${one}_service`);
    await expect(attempt).rejects.toMatchObject(INSUFFICIENT_PRIVILEGE);
  }
});

class ProbeTable1780000009997 {
  async up(runner: QueryRunner): Promise<void> {
    await runner.query('CREATE TABLE probes (id integer)');
  }
  async down(): Promise<void> {}
}

describe('a database of a release with the shared role', () => {
  let url: string;
  let name: string;

  // The template database is prepared for that role.
  beforeEach(async () => {
    ({ url } = await cloneDatabase());
    name = new URL(url).pathname.slice(1);
    databases.push(name);
    roles.push(`${name}_service`);
  });

  it('gets a role of its own, and the former one keeps its rights, also to tables that are new', async () => {
    const [member, stranger] = [randomName('member'), randomName('stranger')];
    roles.push(member, stranger);
    await administrate(
      `CREATE ROLE ${member} LOGIN NOINHERIT PASSWORD '${PASSWORD}'`,
      `GRANT ${FORMER_ROLE} TO ${member} WITH INHERIT FALSE, SET TRUE`,
      `CREATE ROLE ${stranger} LOGIN PASSWORD '${PASSWORD}'`,
    );
    expect(await query(urlOf(stranger, name), 'SELECT 1 AS one')).toEqual([{ one: 1 }]);

    const migrations = [...MIGRATIONS, ProbeTable1780000009997];
    expect(await prepareDatabase(url, { migrations })).toBe(`${name}_service`);
    for (const role of [`${name}_service`, FORMER_ROLE]) {
      expect(await query(url, 'SELECT FROM probes', role)).toEqual([]);
      await expect(query(url, 'UPDATE audit_log SET id = id', role)).rejects.toMatchObject(
        INSUFFICIENT_PRIVILEGE,
      );
      // Instances of both releases can start.
      expect(await requireSchema(url, { role })).toBe(role);
    }
    // A login that can do nothing but become the former role still works as it.
    expect(await requireSchema(urlOf(member, name))).toBe(FORMER_ROLE);
    await expect(query(urlOf(stranger, name), 'SELECT 1')).rejects.toMatchObject(INSUFFICIENT_PRIVILEGE);
  });
});

it('a login that may not create a role keeps the former one, and the output says what an administrator has to run', async () => {
  const [name, owner] = [randomName('plain'), randomName('owner')];
  databases.push(name);
  roles.push(`${name}_service`, owner);
  await administrate(
    `CREATE ROLE ${owner} LOGIN PASSWORD '${PASSWORD}'`,
    `GRANT ${FORMER_ROLE} TO ${owner}`,
    `CREATE DATABASE ${name} OWNER ${owner}`,
  );
  const url = urlOf(owner, name);
  await prepareDatabase(url, { role: FORMER_ROLE });
  const lines: string[] = [];
  const progress = { log: (line: string) => void lines.push(line) };
  expect(await requireSchema(url)).toBe(FORMER_ROLE);
  expect(await prepareDatabase(url, { progress })).toBe(FORMER_ROLE);
  const [, sql = ''] =
    /Before the next release let an administrator run: (.*)$/m.exec(lines.join('\n')) ?? [];
  await administrate(...sql.split(/(?<=;) /));
  expect(await prepareDatabase(url)).toBe(`${name}_service`);
  expect(await requireSchema(url)).toBe(`${name}_service`);
});
