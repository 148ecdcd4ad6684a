import { Injectable } from '@nestjs/common';
import type { Call } from '../calls/call.entity';
import { UpdateCall } from '../calls/machine/update-call';
import { departmentDeleted } from '../calls/deleted-department';
import { ensureNotErased } from '../calls/erased-call';
import { CallTransitions } from '../calls/machine/call-transitions';
import { Clock } from '../platform/clock/clock';
import { selectList } from '../platform/database/columns';
import { Database } from '../platform/database/database';
import type { Transaction } from '../platform/database/transaction';
import { EventBus } from '../platform/events/event-bus';
import { notFound } from '../platform/http/errors/api-error';
import { type StoredObject, StoredObjectsService } from '../platform/storage/stored-objects.service';
import { StorageQuota } from '../plans/storage-quota';
import { StorageUsage } from '../plans/storage-usage';
import type { BriefInspection, MediaInfo } from './media-inspector';
import type { JoinedPart } from './parts/joined-part';
import type { RecordingDto } from './recording.dto';
import { RecordingDeleted, RecordingReady } from './recording.events';
import { lockRecordingDepartment } from './recording-department';
import { RecordingInspectionJobs } from './recording-inspection-jobs';
import { RecordingInspector } from './recording-inspector';
import { RecordingList, type RecordingSelector } from './recording-list';
import { RECORDING_COLUMNS } from './recording.columns';

/** A completely stored recording that is to be added to a call. */
export interface NewRecording {
  tenant_id: string;
  call_id: string;
  uploaded_by: string | null;
  object: StoredObject;
  content_type: string;
  /** Whether the type is only declared by the client: such a recording is not inspected. */
  is_type_declared?: boolean;
  /** Bytes of it that count already, as those of an upload in progress. */
  reserved_bytes?: number;
  /** Whether its bytes were counted as those of an unfinished upload, so that they are within the plan's storage. */
  is_counted?: boolean;
  /** Set if it is joined of parts. */
  joined?: JoinedContent;
}

interface JoinedContent {
  parts: JoinedPart[];
  info: MediaInfo;
  /** That of the recording that it replaces. */
  inserted_at: Date | undefined;
  /** Deletes the recording that it replaces, once the call is locked. @returns its bytes */
  replace: (tx: Transaction) => Promise<number>;
}

const ROW_COLUMNS = `${selectList(RECORDING_COLUMNS)}, storage_key`;

type RecordingRow = Omit<RecordingDto, 'inserted_at'> & { inserted_at: Date; storage_key: string };

/** Adds recordings to calls and deletes them. */
@Injectable()
export class RecordingsService {
  constructor(
    private readonly database: Database,
    private readonly list: RecordingList,
    private readonly transitions: CallTransitions,
    private readonly changes: UpdateCall,
    private readonly objects: StoredObjectsService,
    private readonly quota: StorageQuota,
    private readonly usage: StorageUsage,
    private readonly events: EventBus,
    private readonly clock: Clock,
    private readonly inspector: RecordingInspector,
    private readonly inspectionJobs: RecordingInspectionJobs,
  ) {}

  /**
   * Adds a stored object to the call as a recording. If the call already has the same content, for example because a
   * client repeats an upload after a lost response, it returns the existing recording. If the inspection takes more than
   * a second, the recording has no duration until a job has inspected it.
   * @param inTransaction runs first, in the same transaction
   * @throws 403 plan_limit, 404 for an unknown call, 422 if the call was erased or its department deleted
   */
  async add(
    recording: NewRecording,
    inTransaction: (tx: Transaction) => Promise<void> = async () => {},
  ): Promise<RecordingDto> {
    const { object, tenant_id } = recording;
    const inspection = await this.inspect(recording);
    const added = await this.database.tenant(tenant_id, async (tx) => {
      if (!recording.is_counted) await this.quota.lock(tx, tenant_id);
      await inTransaction(tx);
      return this.attach(tx, recording, inspection);
    });
    if (added.storage_key !== object.key) await this.objects.discard(object.key);
    const { storage_key: _, inserted_at, ...fields } = added;
    return { ...fields, inserted_at: inserted_at.toISOString() };
  }

  private async inspect({
    tenant_id,
    object,
    content_type,
    is_type_declared,
    joined,
  }: NewRecording): Promise<BriefInspection> {
    if (joined) return { info: joined.info, isComplete: true };
    if (is_type_declared) return { info: { content_type, duration: null }, isComplete: true };
    return this.inspector.inspectBriefly(tenant_id, { ...object, content_type });
  }

  private async attach(
    tx: Transaction,
    recording: NewRecording,
    inspection: BriefInspection,
  ): Promise<RecordingRow> {
    const { tenant_id, call_id, uploaded_by: user_id, object, reserved_bytes = 0 } = recording;
    const departmentId = await lockRecordingDepartment(tx, { tenant_id, call_id, user_id });
    const call = await this.transitions.lock(tx, tenant_id, call_id);
    ensureNotErased(call);
    if (departmentId === undefined) throw departmentDeleted();
    const existing = recording.joined ? undefined : await this.findSame(tx, recording);
    if (existing) return existing;
    if (!recording.is_counted)
      await this.quota.ensureWithinQuota(tx, tenant_id, object.size - reserved_bytes);
    const freed = recording.joined ? await recording.joined.replace(tx) : 0;
    const now = this.clock.now();
    await this.objects.keep(tx, object.key);
    const added = await this.insert(tx, recording, inspection, departmentId, now);
    if (!inspection.isComplete) {
      await this.inspectionJobs.enqueue(tx, { tenant_id, call_id, recording_id: added.id });
    }
    await this.usage.add(tx, tenant_id, object.size - freed);
    await this.recordCallChange(tx, call, true);
    await this.events.record(tx, new RecordingReady(tenant_id, added.id, now.toISOString(), call_id));
    return added;
  }

  /** @returns the recording of a repeated upload. Those that are joined of parts are identified by their parts. */
  private findSame(
    tx: Transaction,
    { tenant_id, call_id, object: { sha256 } }: NewRecording,
  ): Promise<RecordingRow | undefined> {
    return tx.one<RecordingRow>(
      `SELECT ${ROW_COLUMNS} FROM recordings
       WHERE tenant_id = $1 AND call_id = $2 AND sha256 = $3 AND parts IS NULL`,
      [tenant_id, call_id, sha256],
    );
  }

  private async insert(
    tx: Transaction,
    {
      tenant_id,
      call_id,
      uploaded_by,
      object: { key, size, sha256 },
      is_type_declared,
      joined,
    }: NewRecording,
    { info: { content_type, duration }, isComplete }: BriefInspection,
    departmentId: string,
    now: Date,
  ): Promise<RecordingRow> {
    const added = await tx.one<RecordingRow>(
      `INSERT INTO recordings (tenant_id, call_id, department_id, uploaded_by, storage_key, content_type, size,
         is_type_declared, duration, inspection_pending, sha256, inserted_at, parts)
       VALUES ($1, $2, $3, $4, $5, $6, $7, $8, $9, $10, $11, $12, $13) RETURNING ${ROW_COLUMNS}`,
      [
        tenant_id,
        call_id,
        departmentId,
        uploaded_by,
        key,
        content_type,
        size,
        is_type_declared ?? false,
        duration,
        !isComplete,
        sha256,
        joined?.inserted_at ?? now,
        joined ? JSON.stringify(joined.parts) : null,
      ],
    );
    if (!added) throw new Error('INSERT gave no row');
    return added;
  }

  /** Deletes the selected recording of a call. @throws 404 */
  async remove(tenantId: string, selector: RecordingSelector & { call_id: string }): Promise<void> {
    const { id } = await this.list.find(tenantId, selector);
    const deletedCount = await this.database.tenant(tenantId, (tx) =>
      this.deleteAll(tx, tenantId, selector.call_id, [id]),
    );
    if (deletedCount === 0) throw notFound('Recording');
  }

  /**
   * Deletes recordings of one call with their transcripts and summaries. The next sweep of the storage deletes their
   * content. The call is written once: at a second write PostgreSQL would lock its department and customer after it.
   * @param ids those that do not exist are ignored
   * @returns how many were deleted
   * @throws 404 for an unknown call
   */
  async deleteAll(tx: Transaction, tenantId: string, callId: string, ids: string[]): Promise<number> {
    const call = await this.transitions.lock(tx, tenantId, callId);
    const deleted = await tx.query<{ id: string; size: number }>(
      `DELETE FROM recordings WHERE tenant_id = $1 AND call_id = $2 AND id = ANY ($3)
       RETURNING id, size::float8 AS size`,
      [tenantId, callId, ids],
    );
    if (deleted.length === 0) return 0;
    await this.usage.add(tx, tenantId, -deleted.reduce((sum, { size }) => sum + size, 0));
    const others = await tx.query('SELECT FROM recordings WHERE tenant_id = $1 AND call_id = $2 LIMIT 1', [
      tenantId,
      callId,
    ]);
    await this.recordCallChange(tx, call, others.length > 0);
    const at = this.clock.now().toISOString();
    for (const { id } of deleted) {
      await this.events.record(tx, new RecordingDeleted(tenantId, id, at, callId));
    }
    return deleted.length;
  }

  /** Notifies staff even if `has_recording` does not change. */
  private async recordCallChange(tx: Transaction, call: Call, has_recording: boolean): Promise<void> {
    if (call.has_recording === has_recording) await this.changes.recordChange(tx, call, 'recordings');
    else await this.changes.write(tx, call, { has_recording });
  }
}
