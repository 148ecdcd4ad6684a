import { Database } from '../../../src/platform/database/database';
import type { Transaction } from '../../../src/platform/database/transaction';
import { TestTenant } from '../../support/builders';
import { sharedTestApp } from '../../support/shared-app';
import type { TestApp } from '../../support/test-app';

const INVALID = { text: `SELECT 'no uuid'::uuid` };

let test: TestApp;
let tenant: TestTenant;

beforeAll(async () => {
  test = await sharedTestApp();
  tenant = await TestTenant.register(test);
});

afterAll(() => test.close());

const transact = <T>(work: (tx: Transaction) => Promise<T>) => test.get(Database).tenant(tenant.id, work);

const rename = (name: string) => ({
  text: 'UPDATE tenants SET name = $2 WHERE id = $1',
  values: [tenant.id, name],
});

async function nameOfTenant(): Promise<string> {
  const { rows } = await test.db.query('SELECT name FROM tenants WHERE id = $1', [tenant.id]);
  return rows[0].name;
}

describe('a statement that is sent without waiting', () => {
  it('is seen by later statements and committed', async () => {
    const seen = await transact(async (tx) => {
      tx.send(rename('Sent'));
      return tx.one<{ name: string }>('SELECT name FROM tenants WHERE id = $1', [tenant.id]);
    });
    expect(seen).toEqual({ name: 'Sent' });
    expect(await nameOfTenant()).toBe('Sent');
  });

  it('rolls the transaction back if it fails, and its error is thrown', async () => {
    const before = await nameOfTenant();
    const failing = transact(async (tx) => {
      tx.send(rename('Lost'));
      tx.send(INVALID);
    });
    await expect(failing).rejects.toMatchObject({ code: '22P02' });
    expect(await nameOfTenant()).toBe(before);
  });

  it('rolls the transaction back if a value cannot be sent', async () => {
    const before = await nameOfTenant();
    const failing = transact(async (tx) => {
      tx.send(rename('Lost'));
      tx.send({ text: 'SELECT $1::jsonb', values: [{ n: 1n }] });
    });
    await expect(failing).rejects.toThrow('BigInt');
    expect(await nameOfTenant()).toBe(before);
  });

  it('is the cause when a statement after it fails', async () => {
    const failing = transact(async (tx) => {
      tx.send(INVALID);
      await tx.query('SELECT 1');
    });
    await expect(failing).rejects.toMatchObject({ code: '22P02' });
  });

  it('is not the cause when a statement before it failed', async () => {
    const failing = transact(async (tx) => {
      const first = tx.query(`SELECT 1 / 0`);
      tx.send(INVALID);
      await first;
    });
    await expect(failing).rejects.toMatchObject({ code: '22012' });
  });
});

it('the cause is found if the statement that failed is waited for after others', async () => {
  const failing = transact(async (tx) => {
    const first = tx.query(INVALID.text);
    first.catch(() => {});
    await tx.query('SELECT 1');
    await first;
  });
  await expect(failing).rejects.toMatchObject({ code: '22P02' });
});

it('a transaction whose error was caught does not seem to be committed', async () => {
  const before = await nameOfTenant();
  const failing = transact(async (tx) => {
    await tx.query(rename('Lost').text, rename('Lost').values);
    await tx.query(INVALID.text).catch(() => undefined);
  });
  await expect(failing).rejects.toMatchObject({ code: '22P02' });
  expect(await nameOfTenant()).toBe(before);
});

it('a connection to a server that has become read-only is replaced after the first write that fails', async () => {
  await transact((tx) => tx.query('SET SESSION CHARACTERISTICS AS TRANSACTION READ ONLY'));
  const codes: unknown[] = [];
  for (let write = 0; write < 10; write++) {
    await transact((tx) => tx.query(rename('Written').text, rename('Written').values)).catch(
      ({ code }: { code: unknown }) => codes.push(code),
    );
  }
  // Another transaction may have met it first.
  expect([[], ['25006']]).toContainEqual(codes);
});
