import { Database } from '../../../src/platform/database/database';
import type { Transaction } from '../../../src/platform/database/transaction';
import { TestTenant } from '../../support/builders';
import { sharedTestApp } from '../../support/shared-app';
import type { TestApp } from '../../support/test-app';

let test: TestApp;
let tenant: TestTenant;

beforeAll(async () => {
  test = await sharedTestApp();
});
beforeEach(async () => {
  tenant = await TestTenant.register(test);
});
afterAll(() => test.close());

const appendDepartment = (tx: Transaction, name: string | null) =>
  tx.append({
    text: 'INSERT INTO departments (tenant_id, name, identifier) VALUES ($1, $2, lower($2))',
    values: [tenant.id, name],
  });

const appendTag = (tx: Transaction, name: string) =>
  tx.append({ text: 'INSERT INTO tags (tenant_id, name) VALUES ($1, $2)', values: [tenant.id, name] });

const namesIn = async (table: string): Promise<string[]> => {
  const { rows } = await test.db.query(`SELECT name FROM ${table} WHERE tenant_id = $1 ORDER BY name`, [
    tenant.id,
  ]);
  return rows.map(({ name }) => name);
};

describe('what a transaction appends', () => {
  it('is written, however often it has the same text', async () => {
    const before = await namesIn('departments');
    await test.get(Database).tenant(tenant.id, async (tx) => {
      for (const name of ['Sales', 'Repairs', 'Support']) appendDepartment(tx, name);
      appendTag(tx, 'Urgent');
    });
    expect(await namesIn('departments')).toEqual([...before, 'Repairs', 'Sales', 'Support'].toSorted());
    expect(await namesIn('tags')).toEqual(['Urgent']);
  });

  it('is not written if a part of it fails, and the error is thrown', async () => {
    const before = await namesIn('departments');
    const transaction = test.get(Database).tenant(tenant.id, async (tx) => {
      appendTag(tx, 'Urgent');
      appendDepartment(tx, null);
    });
    await expect(transaction).rejects.toMatchObject({ code: '23502', column: 'name' });
    expect([await namesIn('departments'), await namesIn('tags')]).toEqual([before, []]);
  });
});
