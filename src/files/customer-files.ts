import { Injectable } from '@nestjs/common';
import { ChatFileSent } from '../calls/chat/chat.events';
import { ChatMessages } from '../calls/chat/chat-messages';
import type { UploadedFileDto } from '../calls/chat/uploaded-file.dto';
import { ensureNotErased } from '../calls/erased-call';
import { CallTransitions } from '../calls/machine/call-transitions';
import { UpdateCall } from '../calls/machine/update-call';
import { Clock } from '../platform/clock/clock';
import { Database } from '../platform/database/database';
import type { Transaction } from '../platform/database/transaction';
import { EventBus } from '../platform/events/event-bus';
import { unprocessable } from '../platform/http/errors/api-error';
import { detectContentType } from './uploads/content-type';
import type { StoredUpload } from './uploads/storage-engine';
import { StoredObjectsService } from '../platform/storage/stored-objects.service';
import { StorageQuota } from '../plans/storage-quota';
import { StorageUsage } from '../plans/storage-usage';
import { UPLOADED_FILE_COLUMNS } from './call-file-list';
import { CallFileUploaded } from './call-file.events';
import { sanitizeFilename } from './sanitize-filename';

/** Files that the customer of one call can send. */
export const MAX_CUSTOMER_FILES = 10;

/** $8 is the limit. A deleted file leaves a gap in the numbers. The call is locked, so that parallel uploads are numbered one after another. */
const INSERT = `INSERT INTO call_files AS f
    (tenant_id, call_id, filename, content_type, is_type_declared, size, sha256, storage_key, inserted_at, customer_number)
  SELECT $1, $2, $3, $4, false, $5, $6, $7, $9, COALESCE(max(customer_number), 0) + 1
  FROM call_files WHERE tenant_id = $1 AND call_id = $2 AND customer_number IS NOT NULL
  HAVING count(*) < $8
  RETURNING ${UPLOADED_FILE_COLUMNS}`;

/** How many files the customer of call $2 of company $1 has sent. */
const COUNT = `SELECT count(*)::int AS files FROM call_files
  WHERE tenant_id = $1 AND call_id = $2 AND customer_number IS NOT NULL`;

/** Adds what customers send in the chat to the files of their calls. */
@Injectable()
export class CustomerFiles {
  constructor(
    private readonly database: Database,
    private readonly calls: CallTransitions,
    private readonly changes: UpdateCall,
    private readonly chat: ChatMessages,
    private readonly objects: StoredObjectsService,
    private readonly quota: StorageQuota,
    private readonly usage: StorageUsage,
    private readonly events: EventBus,
    private readonly clock: Clock,
  ) {}

  /**
   * Adds an uploaded file to the call and to its chat.
   * @throws 403 plan_limit; 404; 422 call_erased, too_many_files, chat_full, or invalid_state unless the call is assigned
   *   or active
   */
  async add(tenantId: string, callId: string, upload: StoredUpload): Promise<UploadedFileDto> {
    const content_type = await detectContentType(upload.sample);
    return this.database.tenant(tenantId, async (tx) => {
      await this.quota.lock(tx, tenantId);
      const call = await this.calls.lock(tx, tenantId, callId);
      ensureNotErased(call);
      await this.quota.ensureWithinQuota(tx, tenantId, upload.size - upload.reserved_bytes);
      await this.objects.keep(tx, upload.key);
      const now = this.clock.now();
      const file = await this.insert(tx, tenantId, callId, { ...upload, content_type }, now);
      await this.usage.add(tx, tenantId, upload.size, 'file_bytes');
      await this.events.record(tx, new CallFileUploaded(tenantId, file.id, now.toISOString(), callId));
      const changed = await this.changes.recordChange(tx, call, 'files');
      const message = await this.chat.addFile(
        tx,
        { tenant_id: tenantId, call_id: callId, user_id: null },
        file,
      );
      await this.events.record(tx, new ChatFileSent(changed, now, message));
      return file;
    });
  }

  /** Looked up before the content of a file is read; the insert decides. @throws 422 too_many_files */
  async ensureBelowLimit(tenantId: string, callId: string): Promise<void> {
    const [[row]] = await this.database.readTenant<[{ files: number }]>(tenantId, [
      { text: COUNT, values: [tenantId, callId] },
    ]);
    if (row && row.files >= MAX_CUSTOMER_FILES) throw tooManyFiles();
  }

  private async insert(
    tx: Transaction,
    tenantId: string,
    callId: string,
    { filename, content_type, size, sha256, key }: StoredUpload & { content_type: string },
    now: Date,
  ): Promise<UploadedFileDto> {
    const file = await tx.one<UploadedFileDto>(INSERT, [
      tenantId,
      callId,
      sanitizeFilename(filename),
      content_type,
      size,
      sha256,
      key,
      MAX_CUSTOMER_FILES,
      now,
    ]);
    if (file) return file;
    throw tooManyFiles();
  }
}

const tooManyFiles = () =>
  unprocessable('too_many_files', `A customer can send ${MAX_CUSTOMER_FILES} files in a call.`);
