import { Injectable } from '@nestjs/common';
import type { Call } from '../../calls/call.entity';
import { ensureNotErased } from '../../calls/erased-call';
import { Clock } from '../../platform/clock/clock';
import { Database } from '../../platform/database/database';
import type { Transaction } from '../../platform/database/transaction';
import { ApiError, notFound, unprocessable } from '../../platform/http/errors/api-error';
import { type StoredObject, StoredObjectsService } from '../../platform/storage/stored-objects.service';
import { ensureMayOpen } from './open-uploads';

/** Seconds that an upload may be silent before it counts as abandoned. */
export const EXPIRES_AFTER = 24 * 60 * 60;

/** Whose upload, to which call: nobody else and from nowhere else is it seen. */
export interface UploadScope {
  tenant_id: string;
  call_id: string;
  user_id: string;
}

export interface RecordingUpload {
  id: string;
  /** As the client sent it: Upload-Metadata. */
  metadata: string | null;
  /** Bytes; null while the client does not know it yet. */
  length: number | null;
  /** Bytes that are stored for good. */
  received: number;
  expires_at: Date;
}

/** What has come, and where it belongs. */
interface NewPart {
  start: number;
  object: StoredObject;
  /** Known once there is enough of the content. */
  content_type: string | null;
}

const COLUMNS = 'id, metadata, length::float8 AS length, received::float8 AS received, expires_at';
const OWN = 'tenant_id = $1 AND call_id = $2 AND user_id = $3 AND id = $4';

/** Uploads that are under way: the truth about them, for any instance to go on with. */
@Injectable()
export class RecordingUploads {
  constructor(
    private readonly database: Database,
    private readonly objects: StoredObjectsService,
    private readonly clock: Clock,
  ) {}

  /** @throws 422 for a length of nothing, a call that was erased, or one upload too many */
  async create(
    scope: UploadScope,
    upload: Pick<RecordingUpload, 'id' | 'length' | 'metadata'>,
  ): Promise<RecordingUpload> {
    ensureNotEmpty(upload.length);
    return this.database.tenant(scope.tenant_id, async (tx) => {
      await ensureMayOpen(tx, scope, this.clock.now());
      await ensureCallNotErased(tx, scope);
      const created = await tx.one<RecordingUpload>(
        `INSERT INTO recording_uploads (tenant_id, call_id, user_id, id, metadata, length, expires_at, inserted_at)
         VALUES ($1, $2, $3, $4, $5, $6, $7, $8) RETURNING ${COLUMNS}`,
        [...valuesOf(scope, upload.id), upload.metadata, upload.length, this.expiry(), this.clock.now()],
      );
      if (!created) throw new Error('INSERT gave no row');
      return created;
    });
  }

  /** @throws 404 unless it is the user's, for this call, and not abandoned */
  async get(scope: UploadScope, id: string): Promise<RecordingUpload> {
    const [found] = await this.database.readTenant<[RecordingUpload]>(scope.tenant_id, [
      {
        text: `SELECT ${COLUMNS} FROM recording_uploads WHERE ${OWN} AND expires_at > $5`,
        values: [...valuesOf(scope, id), this.clock.now()],
      },
    ]);
    if (!found[0]) throw notFound('Upload');
    // Rows that are read in one packet have their timestamps as text.
    return { ...found[0], expires_at: new Date(found[0].expires_at) };
  }

  /** Says how long it will be in the end. @throws 422 when nothing, or something else, was said before */
  async declareLength(scope: UploadScope, id: string, length: number): Promise<void> {
    ensureNotEmpty(length);
    await this.database.tenant(scope.tenant_id, async (tx) => {
      const declared = await tx.one(
        `UPDATE recording_uploads SET length = $5 WHERE ${OWN} AND length IS NULL AND received <= $5 RETURNING id`,
        [...valuesOf(scope, id), length],
      );
      if (!declared) throw unprocessable('length_is_known', 'The length of this upload was said before.');
    });
  }

  /**
   * Adds a stored part at the upload's end. Of two who add at one place, one does.
   * @throws 409 when it goes on somewhere else by now, 404 when it is gone
   */
  addPart(
    scope: UploadScope,
    id: string,
    { start, object, content_type }: NewPart,
  ): Promise<RecordingUpload> {
    return this.database.tenant(scope.tenant_id, async (tx) => {
      const grown = await tx.one<RecordingUpload>(
        `UPDATE recording_uploads
         SET received = received + $6, content_type = COALESCE(content_type, $7), expires_at = $8
         WHERE ${OWN} AND received = $5 AND received + $6 <= COALESCE(length, received + $6)
         RETURNING ${COLUMNS}`,
        [...valuesOf(scope, id), start, object.size, content_type, this.expiry()],
      );
      if (!grown) throw await this.whyNot(tx, id);
      await this.objects.keep(tx, object.key);
      await tx.query(
        `INSERT INTO recording_upload_parts (upload_id, tenant_id, start_byte, size, storage_key)
         VALUES ($1, $2, $3, $4, $5)`,
        [id, scope.tenant_id, start, object.size, object.key],
      );
      return grown;
    });
  }

  /** Gives it up; its parts go with the next sweep. @throws 404 */
  async remove(scope: UploadScope, id: string): Promise<void> {
    await this.database.tenant(scope.tenant_id, async (tx) => {
      const gone = await tx.one(
        `DELETE FROM recording_uploads WHERE ${OWN} RETURNING id`,
        valuesOf(scope, id),
      );
      if (!gone) throw notFound('Upload');
    });
  }

  private async whyNot(tx: Transaction, id: string): Promise<ApiError> {
    const there = await tx.one('SELECT id FROM recording_uploads WHERE id = $1', [id]);
    return there ? offsetConflict() : notFound('Upload');
  }

  private expiry(): Date {
    return this.clock.in(EXPIRES_AFTER);
  }
}

/** 409: the client asks how far it got, and goes on from there. */
export const offsetConflict = () =>
  new ApiError(409, 'offset_conflict', 'The upload goes on at another offset: ask for it with HEAD.');

function ensureNotEmpty(length: number | null): void {
  if (length === 0) throw unprocessable('validation_failed', 'A recording is never empty.');
}

/** An erasure under way is waited for, since it deletes the uploads that it sees. */
async function ensureCallNotErased(tx: Transaction, { tenant_id, call_id }: UploadScope): Promise<void> {
  const call = await tx.one<Pick<Call, 'erased_at'>>(
    'SELECT erased_at FROM calls WHERE tenant_id = $1 AND id = $2 FOR SHARE',
    [tenant_id, call_id],
  );
  if (!call) throw notFound('Call');
  ensureNotErased(call);
}

const valuesOf = ({ tenant_id, call_id, user_id }: UploadScope, id: string) => [
  tenant_id,
  call_id,
  user_id,
  id,
];
