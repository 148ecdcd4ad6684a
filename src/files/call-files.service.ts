import { Injectable } from '@nestjs/common';
import { CallChanges } from '../calls/machine/call-changes';
import { CallList } from '../calls/staff/call-list';
import { ensureNotErased } from '../calls/erased-call';
import { CallTransitions } from '../calls/machine/call-transitions';
import { Clock } from '../platform/clock/clock';
import { Database } from '../platform/database/database';
import type { Transaction } from '../platform/database/transaction';
import { EventBus } from '../platform/events/event-bus';
import { detectContentType } from '../platform/http/input/content-type';
import type { Principal } from '../platform/access/principal';
import type { StoredUpload } from '../platform/http/uploads/storage-engine';
import { StoredObjects } from '../platform/storage/stored-objects';
import type { UploadedFileDto } from './call-file.dto';
import { UPLOADED_COLUMNS } from './call-file-list';
import { keptFilename } from './filename';
import { CallFileUploaded } from './call-file.events';

/** Adds files to calls, in whatever state they are: the only writer of `call_files`. */
@Injectable()
export class CallFilesService {
  constructor(
    private readonly database: Database,
    private readonly calls: CallList,
    private readonly transitions: CallTransitions,
    private readonly changes: CallChanges,
    private readonly objects: StoredObjects,
    private readonly events: EventBus,
    private readonly clock: Clock,
  ) {}

  /**
   * Makes what was uploaded a file of the call.
   * @throws 404 for a call that the caller may not see by now, 422 for one that was erased
   */
  async add(user: Principal, callId: string, upload: StoredUpload): Promise<UploadedFileDto> {
    const content_type = await detectContentType(upload.sample);
    return this.database.tenant(user.tenant_id, async (tx) => {
      await this.calls.ensureVisible(tx, user, callId);
      const call = await this.transitions.lock(tx, user.tenant_id, callId);
      ensureNotErased(call);
      await this.objects.keep(tx, upload.key);
      const now = this.clock.now();
      const file = await this.insert(tx, user, callId, { ...upload, content_type }, now);
      await this.events.record(tx, new CallFileUploaded(user.tenant_id, file.id, now.toISOString(), call.id));
      await this.changes.recordChange(tx, call, 'files');
      return file;
    });
  }

  private async insert(
    tx: Transaction,
    { tenant_id, user_id }: Principal,
    callId: string,
    { filename, content_type, size, sha256, key }: StoredUpload & { content_type: string },
    now: Date,
  ): Promise<UploadedFileDto> {
    const [file] = await tx.query<UploadedFileDto>(
      `INSERT INTO call_files AS f
         (tenant_id, call_id, filename, content_type, size, sha256, storage_key, uploaded_by, inserted_at)
       VALUES ($1, $2, $3, $4, $5, $6, $7, $8, $9) RETURNING ${UPLOADED_COLUMNS}`,
      [tenant_id, callId, keptFilename(filename), content_type, size, sha256, key, user_id, now],
    );
    return file;
  }
}
