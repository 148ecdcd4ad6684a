import type { TestApp } from '../test-app';

/** Counts so many mails of the tenant on its present day. */
export async function useMails({ db, clock }: TestApp, tenantId: string, count: number): Promise<void> {
  await db.query(
    `INSERT INTO mail_usage (tenant_id, day, mail_count)
     SELECT id, ($2::timestamptz AT TIME ZONE timezone)::date, $3 FROM tenants WHERE id = $1
     ON CONFLICT (tenant_id, day) DO UPDATE SET mail_count = excluded.mail_count`,
    [tenantId, clock.now(), count],
  );
}
