import { buffer } from 'node:stream/consumers';
import { Inject, Injectable } from '@nestjs/common';
import type { Call } from '../calls/call.entity';
import { CallUpdates } from '../calls/machine/call-updates';
import { ensureNotErased } from '../calls/erased-call';
import { CallTransitions } from '../calls/machine/call-transitions';
import { Clock } from '../platform/clock/clock';
import { selectList } from '../platform/database/columns';
import { Database } from '../platform/database/database';
import type { Transaction } from '../platform/database/transaction';
import { EventBus } from '../platform/events/event-bus';
import { notFound } from '../platform/http/errors/api-error';
import { STORAGE, type Storage } from '../platform/storage/storage';
import { type StoredObject, StoredObjectsService } from '../platform/storage/stored-objects.service';
import { StorageUsage } from '../plans/storage-usage';
import { inspectMedia, type Media } from './media';
import type { RecordingDto } from './recording.dto';
import { RecordingDeleted, RecordingReady } from './recording.events';
import { RecordingList, type WhichRecording } from './recording-list';
import { RECORDING_COLUMNS } from './recording.columns';

/** A recording that is stored whole, and whose it is to be. */
export interface NewRecording {
  tenant_id: string;
  call_id: string;
  uploaded_by: string | null;
  object: StoredObject;
  /** What its first bytes say. */
  content_type: string;
}

const COLUMNS = `${selectList(RECORDING_COLUMNS)}, storage_key`;

type Row = Omit<RecordingDto, 'inserted_at'> & { inserted_at: Date; storage_key: string };

/** Adds recordings to calls and takes them away: the only writer of `recordings`. */
@Injectable()
export class RecordingsService {
  constructor(
    private readonly database: Database,
    private readonly list: RecordingList,
    private readonly transitions: CallTransitions,
    private readonly changes: CallUpdates,
    private readonly objects: StoredObjectsService,
    private readonly usage: StorageUsage,
    private readonly events: EventBus,
    private readonly clock: Clock,
    @Inject(STORAGE) private readonly storage: Storage,
  ) {}

  /**
   * Makes a stored object a recording of the call. The same content once more, as a page sends it that never
   * heard the answer, is the recording that is there already.
   * @param withRecord what else belongs to the same transaction
   * @throws 404 for the call, 422 when it was erased
   */
  async add(
    recording: NewRecording,
    withRecord: (tx: Transaction) => Promise<void> = async () => {},
  ): Promise<RecordingDto> {
    const { object, tenant_id } = recording;
    const media = await inspectMedia(
      async (start, end) => buffer(await this.storage.read(object.key, { start, end })),
      object.size,
      recording.content_type,
    );
    const added = await this.database.tenant(tenant_id, async (tx) => {
      await withRecord(tx);
      return this.attach(tx, recording, media);
    });
    if (added.storage_key !== object.key) await this.objects.discard(object.key);
    const { storage_key: _, inserted_at, ...fields } = added;
    return { ...fields, inserted_at: inserted_at.toISOString() };
  }

  private async attach(tx: Transaction, recording: NewRecording, media: Media): Promise<Row> {
    const { tenant_id, call_id, object } = recording;
    const call = await this.lockCall(tx, tenant_id, call_id);
    ensureNotErased(call);
    const known = await tx.one<Row>(
      `SELECT ${COLUMNS} FROM recordings WHERE tenant_id = $1 AND call_id = $2 AND sha256 = $3`,
      [tenant_id, call_id, object.sha256],
    );
    if (known) return known;
    const now = this.clock.now();
    await this.objects.keep(tx, object.key);
    const added = await this.insert(tx, recording, media, call.department_id, now);
    await this.usage.add(tx, tenant_id, object.size);
    await this.tellOfChange(tx, call, true);
    await this.events.record(tx, new RecordingReady(tenant_id, added.id, now.toISOString(), call_id));
    return added;
  }

  /** After its department, as the deletion of that takes them: else the two might wait for each other. */
  private async lockCall(tx: Transaction, tenantId: string, callId: string): Promise<Call> {
    await tx.query(
      `SELECT FROM departments d JOIN calls c ON c.tenant_id = d.tenant_id AND c.department_id = d.id
       WHERE c.tenant_id = $1 AND c.id = $2 FOR KEY SHARE OF d`,
      [tenantId, callId],
    );
    return this.transitions.lock(tx, tenantId, callId);
  }

  private async insert(
    tx: Transaction,
    { tenant_id, call_id, uploaded_by, object: { key, size, sha256 } }: NewRecording,
    { content_type, duration }: Media,
    departmentId: string | null,
    now: Date,
  ): Promise<Row> {
    const added = await tx.one<Row>(
      `INSERT INTO recordings (tenant_id, call_id, department_id, uploaded_by, storage_key, content_type, size,
         duration, sha256, inserted_at)
       VALUES ($1, $2, $3, $4, $5, $6, $7, $8, $9, $10) RETURNING ${COLUMNS}`,
      [tenant_id, call_id, departmentId, uploaded_by, key, content_type, size, duration, sha256, now],
    );
    if (!added) throw new Error('INSERT gave no row');
    return added;
  }

  /** Deletes a recording of the call as `delete` does. @throws 404 */
  async remove(tenantId: string, which: WhichRecording & { call_id: string }): Promise<void> {
    const { id } = await this.list.find(tenantId, which);
    await this.database.tenant(tenantId, (tx) => this.delete(tx, tenantId, which.call_id, id));
  }

  /**
   * Deletes a recording with its transcript and summary; its content goes with the next sweep.
   * @throws 404
   */
  async delete(tx: Transaction, tenantId: string, callId: string, id: string): Promise<void> {
    const call = await this.transitions.lock(tx, tenantId, callId);
    const gone = await tx.one<{ size: number }>(
      `DELETE FROM recordings WHERE tenant_id = $1 AND call_id = $2 AND id = $3 RETURNING size::float8 AS size`,
      [tenantId, callId, id],
    );
    if (!gone) throw notFound('Recording');
    await this.usage.add(tx, tenantId, -gone.size);
    const others = await tx.query('SELECT FROM recordings WHERE tenant_id = $1 AND call_id = $2 LIMIT 1', [
      tenantId,
      callId,
    ]);
    await this.tellOfChange(tx, call, others.length > 0);
    await this.events.record(tx, new RecordingDeleted(tenantId, id, this.clock.now().toISOString(), callId));
  }

  /** Staff hear of every recording, also where the call had one before or has another left. */
  private async tellOfChange(tx: Transaction, call: Call, has_recording: boolean): Promise<void> {
    if (call.has_recording === has_recording) await this.changes.recordChange(tx, call, 'recordings');
    else await this.changes.write(tx, call, { has_recording });
  }
}
