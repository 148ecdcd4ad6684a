import { Injectable, type OnModuleInit } from '@nestjs/common';
import { PersonalDataRegistry } from '../customers/personal-data-registry';
import { selectList } from '../platform/database/columns';
import type { Transaction } from '../platform/database/transaction';
import { RECORDING_COLUMNS } from './recording.columns';
import { RecordingsService } from './recordings.service';

const OF_CUSTOMER = `tenant_id = $1 AND call_id IN (SELECT id FROM calls WHERE tenant_id = $1 AND customer_id = $2)`;

const EXPORTED = `SELECT r.*, t.transcript, t.language, s.summary
  FROM (SELECT ${selectList(RECORDING_COLUMNS)} FROM recordings WHERE ${OF_CUSTOMER}) r
  LEFT JOIN transcripts t ON t.recording_id = r.id
  LEFT JOIN summaries s ON s.recording_id = r.id
  ORDER BY r.inserted_at, r.id`;

const EXPORTED_UPLOADS = `SELECT id, call_id, metadata, content_type, length::float8 AS length,
    received::float8 AS received, inserted_at
  FROM recording_uploads WHERE ${OF_CUSTOMER} ORDER BY inserted_at, id`;

/**
 * Exports and erases the recordings of a customer's calls, with transcripts and summaries, and unfinished uploads of
 * recordings.
 */
@Injectable()
export class RecordingPersonalData implements OnModuleInit {
  constructor(
    private readonly personalData: PersonalDataRegistry,
    private readonly recordings: RecordingsService,
  ) {}

  onModuleInit(): void {
    this.personalData.register({
      name: 'recordings',
      export: (tx, tenantId, customerId) => tx.query(EXPORTED, [tenantId, customerId]),
      erase: (tx, tenantId, customerId) => this.erase(tx, tenantId, customerId),
    });
    this.personalData.register({
      name: 'recording_uploads',
      export: (tx, tenantId, customerId) => tx.query(EXPORTED_UPLOADS, [tenantId, customerId]),
      erase: async (tx, tenantId, customerId) => {
        const deleted = await tx.query(`DELETE FROM recording_uploads WHERE ${OF_CUSTOMER} RETURNING id`, [
          tenantId,
          customerId,
        ]);
        return deleted.length;
      },
    });
  }

  private async erase(tx: Transaction, tenantId: string, customerId: string): Promise<number> {
    const recordings = await tx.query<{ id: string; call_id: string }>(
      `SELECT id, call_id FROM recordings WHERE ${OF_CUSTOMER} ORDER BY call_id, id`,
      [tenantId, customerId],
    );
    for (const [callId, ofCall] of Map.groupBy(recordings, ({ call_id }) => call_id)) {
      const ids = ofCall.map(({ id }) => id);
      await this.recordings.deleteAll(tx, tenantId, callId, ids);
    }
    return recordings.length;
  }
}
