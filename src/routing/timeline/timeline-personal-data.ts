import { Injectable, type OnModuleInit } from '@nestjs/common';
import { PersonalDataRegistry } from '../../customers/personal-data-registry';

const OF_CUSTOMER = `t.tenant_id = $1
  AND t.call_id IN (SELECT id FROM calls WHERE tenant_id = $1 AND customer_id = $2)`;

/** What staff wrote: the note of a transfer, and why an agent declined. Why an offer was withdrawn is a fixed word. */
const HAS_TEXT = `(t.details ->> 'note' IS NOT NULL OR (t.type = 'declined' AND t.details ->> 'reason' IS NOT NULL))`;

/** Exports the timelines of a customer's calls, and erases what staff wrote in them. Times and types stay. */
@Injectable()
export class TimelinePersonalData implements OnModuleInit {
  constructor(private readonly personalData: PersonalDataRegistry) {}

  onModuleInit(): void {
    this.personalData.register({
      name: 'call_timeline',
      // Without candidates, which are data about agents.
      export: (tx, tenantId, customerId) =>
        tx.query(
          `SELECT t.call_id, t.at, t.type, t.user_id, t.details - 'candidates' AS details
           FROM call_timeline t WHERE ${OF_CUSTOMER} ORDER BY t.at, t.id`,
          [tenantId, customerId],
        ),
      erase: async (tx, tenantId, customerId) => {
        const erased = await tx.query(
          `UPDATE call_timeline t SET details = t.details || (
             SELECT jsonb_object_agg(field, NULL::text) FROM unnest(ARRAY['note', 'reason']) AS field
             WHERE t.details ? field)
           WHERE ${OF_CUSTOMER} AND ${HAS_TEXT} RETURNING t.id`,
          [tenantId, customerId],
        );
        return erased.length;
      },
    });
  }
}
