import { PgBoss } from 'pg-boss';
import { IdempotencyKeys } from '../../src/calls/customer/idempotency-keys';
import { CredentialPurge } from '../../src/identity/credential-purge';
import { MailAllowance } from '../../src/plans/mail-allowance';
import { ExclusionCleanup } from '../../src/routing/dispatch/exclusion-cleanup';
import { TestTenant } from '../support/builders';
import { sharedTestApp } from '../support/shared-app';
import type { TestApp } from '../support/test-app';
import { until } from '../support/until';

const MINUTE = 60;
const DAY = 86_400;

let test: TestApp;

beforeAll(async () => {
  test = await sharedTestApp();
});

afterAll(() => test.close());

interface Age {
  /** Seconds after which rows of a moment are deleted. */
  seconds: number;
  purge: () => Promise<void>;
  /** The columns and a row of the moment $4, for the parameters tenant ($1), user ($2) and call ($3). */
  insert: string;
  /** Whether a legal hold on the company keeps the rows. */
  isHeld: boolean;
}

const ALL_USED = '$1::uuid IS NOT NULL AND $2::uuid IS NOT NULL AND $3::uuid IS NOT NULL';

/** The tables whose age no variable sets, as docs/privacy.md lists them. */
const AGES: Record<string, Age> = {
  sessions: {
    seconds: 0,
    purge: () => test.get(CredentialPurge).run(),
    insert: `(tenant_id, user_id, expires_at, last_used_at) SELECT $1::uuid, $2::uuid, $4::timestamptz, $4`,
    isHeld: true,
  },
  login_addresses: {
    seconds: 30 * DAY,
    purge: () => test.get(CredentialPurge).run(),
    insert: `(tenant_id, user_id, address, last_login_at)
      SELECT $1::uuid, $2::uuid, gen_random_uuid()::text, $4::timestamptz`,
    isHeld: true,
  },
  mail_usage: {
    seconds: 32 * DAY,
    purge: () => test.get(MailAllowance).deleteOld(),
    insert: `(tenant_id, day, mail_count) SELECT $1::uuid, ($4::timestamptz AT TIME ZONE 'UTC')::date, 1`,
    isHeld: true,
  },
  idempotency_keys: {
    seconds: 0,
    purge: () => test.get(IdempotencyKeys).purge(),
    insert: `(tenant_id, access_link_id, key, request_hash, call_id, expires_at)
      SELECT $1::uuid, (SELECT id FROM access_links WHERE tenant_id = $1 LIMIT 1), gen_random_uuid()::text, 'hash',
        $3::uuid, $4::timestamptz`,
    isHeld: false,
  },
  offer_exclusions: {
    seconds: MINUTE,
    purge: () => test.get(ExclusionCleanup).run(),
    insert: `(tenant_id, call_id, user_id, until) SELECT $1::uuid, $3::uuid, gen_random_uuid(), $4::timestamptz`,
    isHeld: false,
  },
};

/** A company with a call. */
async function newCompany() {
  const tenant = await TestTenant.register(test);
  const { call_id } = await tenant.join((await tenant.queue()).link);
  return { tenant, callId: call_id as string };
}

describe.each(Object.entries(AGES))('a row of %s', (table, { seconds, purge, insert, isHeld }) => {
  /** Inserts one row a day older than its age, and one a day younger. @returns how to count both */
  async function insertOldAndYoung() {
    const { tenant, callId } = await newCompany();
    await test.db.query(`DELETE FROM ${table} WHERE tenant_id = $1`, [tenant.id]);
    for (const age of [seconds + DAY, seconds - DAY]) {
      await test.db.query(`INSERT INTO ${table} ${insert} WHERE ${ALL_USED}`, [
        tenant.id,
        tenant.owner.id,
        callId,
        test.clock.in(-age),
      ]);
    }
    const count = async () => {
      const { rows } = await test.db.query(`SELECT FROM ${table} WHERE tenant_id = $1`, [tenant.id]);
      return rows.length;
    };
    return { tenant, count };
  }

  it('is deleted when it is too old', async () => {
    const { count } = await insertOldAndYoung();
    await purge();
    expect(await count()).toBe(1);
  });

  it(`${isHeld ? 'stays' : 'is deleted, too,'} while a legal hold on its company is in force`, async () => {
    const { tenant, count } = await insertOldAndYoung();
    await test.db.query(
      `INSERT INTO legal_holds (tenant_id, reason, inserted_at) VALUES ($1, 'A lawsuit', now())`,
      [tenant.id],
    );
    await purge();
    expect(await count()).toBe(isHeld ? 2 : 1);
    await test.db.query('DELETE FROM legal_holds WHERE tenant_id = $1', [tenant.id]);
    await purge();
    expect(await count()).toBe(1);
  });
});

describe('a job', () => {
  const NAME = 'purge-mail-usage';

  it('is deleted 7 days after it has ended, or 14 days after it was to run', async () => {
    const boss = test.get(PgBoss);
    const ids: (string | null)[] = [];
    for (const change of [
      `state = 'completed', completed_on = now() - interval '7 days 1 minute'`,
      `state = 'failed', completed_on = now() - interval '7 days 1 minute'`,
      `keep_until = keep_until - interval '14 days 1 minute'`,
      `state = 'completed', completed_on = now() - interval '6 days'`,
      `keep_until = keep_until - interval '13 days'`,
    ]) {
      const id = await boss.send(NAME, {}, { startAfter: DAY });
      ids.push(id);
      await test.db.query(
        `UPDATE pgboss.job SET ${change.replace('keep_until -', `keep_until - interval '1 day' -`)} WHERE id = $1`,
        [id],
      );
    }
    await test.db.query('UPDATE pgboss.queue SET maintain_on = NULL WHERE name = $1', [NAME]);
    await boss.supervise(NAME);
    // The application may do the same at this moment.
    const kept = await until(async () => {
      const { rows } = await test.db.query('SELECT id FROM pgboss.job WHERE id = ANY ($1)', [ids]);
      return rows.length < 3 && rows.map(({ id }) => String(id));
    });
    expect(kept.toSorted()).toEqual(ids.slice(3).map(String).toSorted());
    await test.db.query('DELETE FROM pgboss.job WHERE id = ANY ($1)', [ids]);
  });
});
