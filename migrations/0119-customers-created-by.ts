import type { MigrationInterface, QueryRunner } from 'typeorm';
import { buildIndex } from './build-index';

/**
 * The customers that a restricted attendant may see: who created them, or whose call, link or appointment they may see. In the
 * view, `customer_id` can be null, and the same customer can be there several times.
 */
export class CustomersCreatedBy1780000000119 implements MigrationInterface {
  readonly transaction = false;

  async up(runner: QueryRunner): Promise<void> {
    await runner.query('ALTER TABLE customers ADD COLUMN IF NOT EXISTS created_by uuid');
    // A migration that was interrupted runs again.
    await runner.query(`
      ALTER TABLE customers DROP CONSTRAINT IF EXISTS customers_created_by_fkey;
      ALTER TABLE customers ADD CONSTRAINT customers_created_by_fkey FOREIGN KEY (tenant_id, created_by)
        REFERENCES users (tenant_id, id) ON DELETE SET NULL (created_by) NOT VALID`);
    await runner.query(CUSTOMERS_OF_USERS);
    await buildIndex(runner, {
      name: 'customers_created_by_idx',
      on: 'customers (created_by) WHERE created_by IS NOT NULL',
    });
  }

  /** TypeORM reverts each migration in a transaction. */
  async down(runner: QueryRunner): Promise<void> {
    await runner.query(`
      DROP VIEW customers_of_users;
      ALTER TABLE customers DROP created_by`);
  }
}

/**
 * The only definition of these customers. security_invoker: row-level security applies to the reader, not to the owner. The joins
 * with the tenant are for the indexes.
 */
const CUSTOMERS_OF_USERS = `
  CREATE OR REPLACE VIEW customers_of_users WITH (security_invoker = true) AS
    -- Calls of their departments, and those that wait in the lines of these.
    SELECT m.user_id, c.customer_id FROM department_members m
      JOIN calls c ON c.tenant_id = m.tenant_id AND c.department_id = m.department_id
    UNION ALL SELECT m.user_id, c.customer_id FROM department_members m
      JOIN calls c ON c.tenant_id = m.tenant_id AND c.overflow_department_id = m.department_id
        AND c.status = 'queued' AND c.ended_at IS NULL
    -- Calls that they have, had before a transfer, or are offered.
    UNION ALL SELECT u.id, c.customer_id FROM users u JOIN calls c ON c.tenant_id = u.tenant_id AND c.user_id = u.id
    UNION ALL SELECT p.user_id, c.customer_id FROM call_parts p
      JOIN calls c ON c.tenant_id = p.tenant_id AND c.id = p.call_id
    UNION ALL SELECT o.user_id, c.customer_id FROM offers o
      JOIN calls c ON c.tenant_id = o.tenant_id AND c.id = o.call_id
      WHERE o.status = 'pending'
    UNION ALL SELECT m.user_id, l.customer_id FROM department_members m
      JOIN access_links l ON l.department_id = m.department_id
    -- Appointments without a department belong to their agent.
    UNION ALL SELECT m.user_id, a.customer_id FROM department_members m
      JOIN appointments a ON a.department_id = m.department_id
    UNION ALL SELECT u.id, a.customer_id FROM users u
      JOIN appointments a ON a.tenant_id = u.tenant_id AND a.user_id = u.id
      LEFT JOIN departments d ON d.id = a.department_id
      WHERE d.id IS NULL
    UNION ALL SELECT created_by, id FROM customers WHERE created_by IS NOT NULL`;
