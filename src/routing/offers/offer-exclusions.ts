import type { Transaction } from '../../platform/database/transaction';
import type { Offer } from './offer.entity';

/** How long an agent who declined or missed an offer of a call gets no other one of it. */
const EXCLUSION_SECONDS = 10;

/** Excludes the agent of an ended offer from its call for a while, without waiting. */
export function excludeAgent(tx: Transaction, { tenant_id, call_id, user_id }: Offer, now: Date): void {
  tx.send({
    text: `INSERT INTO offer_exclusions (tenant_id, call_id, user_id, until)
      VALUES ($1, $2, $3, $4::timestamptz + make_interval(secs => ${EXCLUSION_SECONDS}))
      ON CONFLICT ON CONSTRAINT offer_exclusions_pkey DO UPDATE SET until = EXCLUDED.until`,
    values: [tenant_id, call_id, user_id, now],
  });
}

/** Lets an agent who is back from a pause be offered every call again, without waiting. */
export function endExclusions(tx: Transaction, tenantId: string, userId: string): void {
  tx.send({
    text: 'DELETE FROM offer_exclusions WHERE tenant_id = $1 AND user_id = $2',
    values: [tenantId, userId],
  });
}

/** Deletes exclusions of all tenants that ended long ago. */
export function deleteOldExclusions(tx: Transaction, now: Date): void {
  tx.send({
    text: `DELETE FROM offer_exclusions WHERE until < $1::timestamptz - interval '1 minute'`,
    values: [now],
  });
}
