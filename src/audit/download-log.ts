import { Injectable } from '@nestjs/common';
import { Clock } from '../platform/clock/clock';
import { Database } from '../platform/database/database';
import { EventBus } from '../platform/events/event-bus';
import type { ContentSent, DownloadKey } from './download.events';

/** How long requests for parts belong to one download; tickets are valid as long. */
const DOWNLOAD_MS = 300_000;

interface SentContent {
  tenant_id: string;
  /** The recording or file. */
  id: string;
  call_id: string;
  key: DownloadKey;
}

type ContentSentClass = new (...args: ConstructorParameters<typeof ContentSent>) => ContentSent;

/** Records in the audit log who got the content of recordings and files. */
@Injectable()
export class DownloadLog {
  constructor(
    private readonly database: Database,
    private readonly events: EventBus,
    private readonly clock: Clock,
  ) {}

  /**
   * Records that content is sent to the current user. Call it before sending: content without an entry must not get out.
   * @param Sent the event
   * @param isOnce whether entries with the same key within 5 minutes are one: players request a file in many parts, several
   *   at a time
   */
  async record(
    Sent: ContentSentClass,
    { tenant_id, id, call_id, key }: SentContent,
    isOnce: boolean,
  ): Promise<void> {
    const now = this.clock.now();
    const sent = new Sent(tenant_id, id, now.toISOString(), call_id, key);
    await this.database.tenant(tenant_id, async (tx) => {
      if (isOnce) {
        tx.send({
          text: 'SELECT pg_advisory_xact_lock(hashtextextended($1, 0))',
          values: [`download ${id} ${JSON.stringify(key)}`],
        });
        const earlier = await tx.query(
          `SELECT FROM audit_log
           WHERE tenant_id = $1 AND subject_id = $2 AND inserted_at > $3 AND action = $4 AND details @> $5::jsonb LIMIT 1`,
          [tenant_id, id, new Date(now.getTime() - DOWNLOAD_MS), sent.type, JSON.stringify(key)],
        );
        if (earlier.length > 0) return;
      }
      await this.events.record(tx, sent);
    });
  }
}
