import { Injectable } from '@nestjs/common';
import { UpdateCall } from '../calls/machine/update-call';
import { CallAccess } from '../calls/staff/call-access';
import { ensureDepartmentExists } from '../calls/deleted-department';
import { ensureNotErased } from '../calls/erased-call';
import { Clock } from '../platform/clock/clock';
import { Database } from '../platform/database/database';
import type { Transaction } from '../platform/database/transaction';
import { EventBus } from '../platform/events/event-bus';
import type { Principal } from '../platform/access/principal';
import { idempotencyKeyReused } from '../calls/customer/idempotency-key';
import type { StoredUpload } from './uploads/storage-engine';
import { StorageQuota } from '../plans/storage-quota';
import { StorageUsage } from '../plans/storage-usage';
import { StoredObjectsService } from '../platform/storage/stored-objects.service';
import type { UploadedFileDto } from '../calls/chat/uploaded-file.dto';
import { UPLOADED_FILE_COLUMNS } from './call-file-list';
import { CallFileUploaded } from './call-file.events';
import { sanitizeFilename } from './sanitize-filename';
import { type ContentType, contentTypeOf } from './uploads/content-type';

/** An upload with the Idempotency-Key of its request. */
type KeyedUpload = StoredUpload & { idempotency_key: string | undefined };

/** Adds files to calls in any state: the only writer of `call_files`. */
@Injectable()
export class CallFilesService {
  constructor(
    private readonly database: Database,
    private readonly access: CallAccess,
    private readonly changes: UpdateCall,
    private readonly objects: StoredObjectsService,
    private readonly quota: StorageQuota,
    private readonly usage: StorageUsage,
    private readonly events: EventBus,
    private readonly clock: Clock,
  ) {}

  /**
   * Adds an uploaded file to the call. An upload that the user repeats with the same Idempotency-Key adds no second file.
   * @throws 403 plan_limit, 404 if the caller may not see the call, 422 if it was erased, if its department was deleted, or if the key is that of another
   *   file
   */
  async add(user: Principal, callId: string, upload: KeyedUpload): Promise<UploadedFileDto> {
    const type = await contentTypeOf(upload.sample, upload.declared_type);
    const { file, isNew } = await this.database.tenant(user.tenant_id, async (tx) => {
      await this.quota.lock(tx, user.tenant_id);
      const call = await this.access.lockVisible(tx, user, callId);
      ensureNotErased(call);
      await ensureDepartmentExists(tx, call);
      // The locks make a repeated upload wait for the first one. It needs no space.
      const first = await this.findFirst(tx, user, callId, upload);
      if (first) return { file: first, isNew: false };
      await this.quota.ensureWithinQuota(tx, user.tenant_id, upload.size - upload.reserved_bytes);
      await this.objects.keep(tx, upload.key);
      const now = this.clock.now();
      const file = await this.insert(tx, user, callId, { ...upload, ...type }, now);
      await this.usage.add(tx, user.tenant_id, upload.size, 'file_bytes');
      await this.events.record(tx, new CallFileUploaded(user.tenant_id, file.id, now.toISOString(), call.id));
      await this.changes.recordChange(tx, call, 'files');
      return { file, isNew: true };
    });
    if (!isNew) await this.objects.discard(upload.key);
    return file;
  }

  /** @returns the file that was uploaded with the key. @throws 422 if it is another one */
  private async findFirst(
    tx: Transaction,
    { tenant_id, user_id }: Principal,
    callId: string,
    { filename, sha256, idempotency_key }: KeyedUpload,
  ): Promise<UploadedFileDto | undefined> {
    if (idempotency_key === undefined) return undefined;
    const first = await tx.one<UploadedFileDto & { sha256: string }>(
      `SELECT ${UPLOADED_FILE_COLUMNS}, f.sha256 FROM call_files f
       WHERE f.tenant_id = $1 AND f.call_id = $2 AND f.uploaded_by = $3 AND f.idempotency_key = $4`,
      [tenant_id, callId, user_id, idempotency_key],
    );
    if (!first) return undefined;
    const { sha256: firstHash, ...file } = first;
    if (firstHash !== sha256 || file.filename !== sanitizeFilename(filename)) throw idempotencyKeyReused();
    return file;
  }

  private async insert(
    tx: Transaction,
    { tenant_id, user_id }: Principal,
    callId: string,
    {
      filename,
      content_type,
      is_type_declared,
      size,
      sha256,
      key,
      idempotency_key,
    }: KeyedUpload & ContentType,
    now: Date,
  ): Promise<UploadedFileDto> {
    const [file] = await tx.query<UploadedFileDto>(
      `INSERT INTO call_files AS f
         (tenant_id, call_id, filename, content_type, is_type_declared, size, sha256, storage_key, uploaded_by, inserted_at,
          idempotency_key)
       VALUES ($1, $2, $3, $4, $5, $6, $7, $8, $9, $10, $11) RETURNING ${UPLOADED_FILE_COLUMNS}`,
      [
        tenant_id,
        callId,
        sanitizeFilename(filename),
        content_type,
        is_type_declared,
        size,
        sha256,
        key,
        user_id,
        now,
        idempotency_key,
      ],
    );
    return file;
  }
}
