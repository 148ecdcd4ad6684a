import { Injectable, type OnModuleInit } from '@nestjs/common';
import { PersonalDataRegistry } from '../../customers/personal-data-registry';
import { MESSAGE_COLUMNS } from './chat.columns';

const OF_CUSTOMER = `m.tenant_id = $1
  AND m.call_id IN (SELECT id FROM calls WHERE tenant_id = $1 AND customer_id = $2)`;

/** Exports and erases the chats of a customer's calls: what both sides wrote. The number of messages stays. */
@Injectable()
export class ChatPersonalData implements OnModuleInit {
  constructor(private readonly personalData: PersonalDataRegistry) {}

  onModuleInit(): void {
    this.personalData.register({
      name: 'chat_messages',
      export: (tx, tenantId, customerId) =>
        tx.query(
          `SELECT m.call_id, ${MESSAGE_COLUMNS} FROM chat_messages m WHERE ${OF_CUSTOMER}
           ORDER BY m.sent_at, m.call_id, m.number`,
          [tenantId, customerId],
        ),
      erase: async (tx, tenantId, customerId) => {
        const erased = await tx.query(`DELETE FROM chat_messages m WHERE ${OF_CUSTOMER} RETURNING m.id`, [
          tenantId,
          customerId,
        ]);
        return erased.length;
      },
    });
  }
}
