import { Injectable, type OnModuleInit } from '@nestjs/common';
import { PersonalDataRegistry } from '../../customers/personal-data-registry';

const OF_CUSTOMER = `o.tenant_id = $1
  AND o.call_id IN (SELECT id FROM calls WHERE tenant_id = $1 AND customer_id = $2)`;

/** Exports the offers of a customer's calls, and erases what staff wrote in them. */
@Injectable()
export class OfferPersonalData implements OnModuleInit {
  constructor(private readonly personalData: PersonalDataRegistry) {}

  onModuleInit(): void {
    this.personalData.register({
      name: 'offers',
      export: (tx, tenantId, customerId) =>
        tx.query(
          `SELECT o.id, o.call_id, o.department_id, o.user_id, o.kind, o.offered_by, o.note, o.status, o.reason,
             o.offered_at, o.expires_at, o.ended_at
           FROM offers o WHERE ${OF_CUSTOMER} ORDER BY o.offered_at, o.id`,
          [tenantId, customerId],
        ),
      // An agent declines with a text; the reason of a withdrawal is a fixed word, which reports may count.
      erase: async (tx, tenantId, customerId) => {
        const erased = await tx.query(
          `UPDATE offers o SET note = NULL, reason = CASE o.status WHEN 'declined' THEN NULL ELSE o.reason END
           WHERE ${OF_CUSTOMER} AND (o.note IS NOT NULL OR (o.status = 'declined' AND o.reason IS NOT NULL))
           RETURNING o.id`,
          [tenantId, customerId],
        );
        return erased.length;
      },
    });
  }
}
