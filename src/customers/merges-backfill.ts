import { Injectable, type OnModuleInit } from '@nestjs/common';
import type { Transaction } from '../platform/database/transaction';
import { Backfills } from './backfills';

/** Rows of the audit log that are read at a time. */
const PAGE_SIZE = 5000;
const FIRST_TENANT = '00000000-0000-0000-0000-000000000000';

/** The last row of the audit log that was read, from the newest to the oldest of each tenant. */
interface Progress {
  tenant_id: string;
  inserted_at: string;
  id: string;
}

/** Before the newest row of a tenant. */
const startOf = (tenant_id: string): Progress => ({
  tenant_id,
  inserted_at: 'infinity',
  id: 'ffffffff-ffff-ffff-ffff-ffffffffffff',
});

interface Page {
  row_count: number;
  last: Omit<Progress, 'tenant_id'> | null;
  merges: { primary_id: string; duplicate_ids: string[] }[];
}

/**
 * Records the merges of customers that took place before the table customer_merges existed, from the audit log. The newest
 * come first: a customer who was merged later is then found in the table.
 */
@Injectable()
export class MergesBackfill implements OnModuleInit {
  constructor(private readonly backfills: Backfills) {}

  onModuleInit(): void {
    this.backfills.register<Progress>({ name: 'customer-merges', runBatch });
  }
}

async function runBatch(tx: Transaction, progress?: Progress): Promise<Progress | undefined> {
  const from = progress ?? (await nextTenant(tx, FIRST_TENANT));
  if (!from) return undefined;
  const { tenant_id } = from;
  const page = await readPage(tx, from);
  for (const { primary_id, duplicate_ids } of page?.merges ?? []) {
    await recordMerge(tx, [tenant_id, primary_id, duplicate_ids]);
  }
  if (page?.last && page.row_count === PAGE_SIZE) return { tenant_id, ...page.last };
  return nextTenant(tx, tenant_id);
}

async function nextTenant(tx: Transaction, after: string): Promise<Progress | undefined> {
  const tenant = await tx.one<{ id: string }>('SELECT id FROM tenants WHERE id > $1 ORDER BY id LIMIT 1', [
    after,
  ]);
  return tenant && startOf(tenant.id);
}

const readPage = (tx: Transaction, { tenant_id, inserted_at, id }: Progress) =>
  tx.one<Page>(
    `WITH page AS MATERIALIZED (
       SELECT id, inserted_at, action, subject_id, details FROM audit_log
       WHERE tenant_id = $1 AND (inserted_at, id) < ($2::timestamptz, $3::uuid)
       ORDER BY inserted_at DESC, id DESC LIMIT $4)
     SELECT (SELECT count(*)::int FROM page) AS row_count,
       (SELECT jsonb_build_object('inserted_at', inserted_at, 'id', id) FROM page ORDER BY inserted_at, id LIMIT 1) AS last,
       (SELECT COALESCE(jsonb_agg(jsonb_build_object('primary_id', subject_id, 'duplicate_ids', details -> 'duplicate_ids')
           ORDER BY inserted_at DESC, id DESC), '[]')
         FROM page WHERE action = 'customer.merged') AS merges`,
    [tenant_id, inserted_at, id, PAGE_SIZE],
  );

/** @param values the tenant, the customer who remained, and the merged ones */
const recordMerge = (tx: Transaction, values: [string, string, string[]]) =>
  tx.query(
    `INSERT INTO customer_merges (tenant_id, customer_id, merged_id)
     SELECT $1::uuid, c.id, merged_id FROM unnest($3::uuid[]) AS merged_id
       JOIN customers c ON c.tenant_id = $1 AND c.id = COALESCE(
         (SELECT m.customer_id FROM customer_merges m WHERE m.tenant_id = $1 AND m.merged_id = $2), $2)
     ON CONFLICT DO NOTHING`,
    values,
  );
