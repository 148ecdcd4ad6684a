import { Inject, Injectable } from '@nestjs/common';
import { Clock } from '../../platform/clock/clock';
import { CONFIG, type Config } from '../../platform/config/config';
import { Database } from '../../platform/database/database';
import type { Transaction } from '../../platform/database/transaction';
import { EventBus } from '../../platform/events/event-bus';
import { StoredObjectsService } from '../../platform/storage/stored-objects.service';
import { RecordingDeleted } from '../recording.events';
import { RecordingsService } from '../recordings.service';
import { type JoinedPart, startOf, withPart } from './joined-part';
import { NotJoinable } from './not-joinable';
import { type JoinedObject, PartJoiner } from './part-joiner';

/** Each part writes the whole recording again. */
const MAX_PARTS = 100;
/** Attempts when other parts are joined at the same time. */
const MAX_ATTEMPTS = 5;

/** The joined recording was changed or deleted while a part was joined to it. */
class StaleRecording extends Error {}

export interface UploadedPart {
  tenant_id: string;
  call_id: string;
  user_id: string | null;
  part: number;
  /** Bytes. */
  length: number;
  content: () => AsyncIterable<Buffer>;
  /** Ends the attempt. */
  signal: AbortSignal | undefined;
}

interface JoinedRecording {
  id: string;
  storage_key: string;
  size: number;
  parts: JoinedPart[];
  inserted_at: string;
}

/**
 * Joins the parts that one agent uploads of a call into one recording. Each part replaces the recording by one that has
 * it, too: with a new id, so that nothing that was made of the former content is taken for the new one's.
 */
@Injectable()
export class RecordingParts {
  constructor(
    private readonly database: Database,
    private readonly recordings: RecordingsService,
    private readonly objects: StoredObjectsService,
    private readonly events: EventBus,
    private readonly clock: Clock,
    private readonly joiner: PartJoiner,
    @Inject(CONFIG) private readonly config: Config,
  ) {}

  /**
   * Adds nothing if the recording has the part.
   * @param inTransaction runs in the transaction that adds the part
   * @returns the recording's id
   * @throws NotJoinable, and the errors of RecordingsService.add
   */
  async add(part: UploadedPart, inTransaction: (tx: Transaction) => Promise<void>): Promise<string> {
    for (let attempt = 1; ; attempt++) {
      try {
        return await this.tryToAdd(part, inTransaction);
      } catch (error) {
        if (!(error instanceof StaleRecording) || attempt === MAX_ATTEMPTS) throw error;
      }
    }
  }

  private async tryToAdd(
    upload: UploadedPart,
    inTransaction: (tx: Transaction) => Promise<void>,
  ): Promise<string> {
    const { tenant_id, call_id, user_id: uploaded_by, part } = upload;
    const base = await this.find(upload);
    if (base?.parts.some((each) => each.part === part)) {
      await this.database.tenant(tenant_id, inTransaction);
      return base.id;
    }
    const { object, content_type, duration } = await this.join(base, upload);
    try {
      const parts = withPart(base?.parts ?? [], { part, duration });
      const seconds = Math.round(parts.reduce((sum, { duration }) => sum + duration, 0) / 1000);
      const info = { content_type, duration: seconds || null };
      const inserted_at = base ? new Date(base.inserted_at) : undefined;
      const replace = (tx: Transaction) => this.replace(tx, upload, base);
      const added = await this.recordings.add(
        {
          tenant_id,
          call_id,
          uploaded_by,
          object,
          content_type,
          is_counted: true,
          joined: { parts, info, inserted_at, replace },
        },
        inTransaction,
      );
      return added.id;
    } catch (error) {
      await this.objects.discard(object.key);
      throw error;
    }
  }

  private async find({ tenant_id, call_id, user_id }: UploadedPart): Promise<JoinedRecording | undefined> {
    const [[found]] = await this.database.readTenant<[JoinedRecording]>(tenant_id, [
      {
        text: `SELECT id, storage_key, size::float8 AS size, parts, inserted_at FROM recordings
               WHERE tenant_id = $1 AND call_id = $2 AND uploaded_by = $3 AND parts IS NOT NULL`,
        values: [tenant_id, call_id, user_id],
      },
    ]);
    return found;
  }

  private join(
    base: JoinedRecording | undefined,
    { tenant_id, part, length, content, signal }: UploadedPart,
  ): Promise<JoinedObject> {
    const { parts, size } = base ?? { parts: [], size: 0 };
    if (parts.length >= MAX_PARTS) throw new NotJoinable('The recording has too many parts.');
    if (size + length > this.config.maxRecordingBytes) {
      throw new NotJoinable('The joined recording would be larger than MAX_RECORDING_MB.');
    }
    const start = startOf(parts, part);
    return this.joiner.join({
      tenant_id,
      recording_key: base?.storage_key,
      start,
      content: content(),
      signal,
    });
  }

  /** Deletes the recording that the part was joined to, once its call is locked. @returns its bytes */
  private async replace(
    tx: Transaction,
    { tenant_id, call_id, user_id }: UploadedPart,
    base: JoinedRecording | undefined,
  ): Promise<number> {
    const current = await tx.one<{ id: string }>(
      `SELECT id FROM recordings
       WHERE tenant_id = $1 AND call_id = $2 AND uploaded_by = $3 AND parts IS NOT NULL`,
      [tenant_id, call_id, user_id],
    );
    if (current?.id !== base?.id) throw new StaleRecording();
    if (!base) return 0;
    await tx.query('DELETE FROM recordings WHERE tenant_id = $1 AND id = $2', [tenant_id, base.id]);
    const at = this.clock.now().toISOString();
    await this.events.record(tx, new RecordingDeleted(tenant_id, base.id, at, call_id));
    return base.size;
  }
}
