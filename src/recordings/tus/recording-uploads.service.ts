import { Injectable, type OnModuleInit } from '@nestjs/common';
import { Clock } from '../../platform/clock/clock';
import { Database } from '../../platform/database/database';
import type { Transaction } from '../../platform/database/transaction';
import { StorageQuota } from '../../plans/storage-quota';
import { StorageUsage } from '../../plans/storage-usage';
import { type ApiError, notFound, unprocessable } from '../../platform/http/errors/api-error';
import { type StoredObject, StoredObjectsService } from '../../platform/storage/stored-objects.service';
import {
  ensureCallTakesUploads,
  ensureNotEmpty,
  ensureWithinOpenLimit,
  type UploadScope,
} from './recording-upload.rules';
import { offsetConflict } from './upload-errors';

/** An upload that receives nothing for this time expires. */
export const UPLOAD_TTL_SECONDS = 24 * 60 * 60;

export interface RecordingUpload {
  id: string;
  /** The Upload-Metadata header as the client sent it. */
  metadata: string | null;
  /** Bytes; null until the client declares it. */
  length: number | null;
  /** Bytes that are stored permanently. */
  received: number;
  expires_at: Date;
}

interface NewPart {
  /** Offset in the upload, in bytes. */
  start: number;
  object: StoredObject;
  /** Null if the part is too short to detect it. */
  content_type: string | null;
}

const COLUMNS = 'id, metadata, length::float8 AS length, received::float8 AS received, expires_at';
const OWN = 'tenant_id = $1 AND call_id = $2 AND user_id = $3 AND id = $4';

/** Space is reserved for the whole upload if its length is known. */
const UNFINISHED_BYTES = `SELECT COALESCE(sum(GREATEST(length, received)), 0) FROM recording_uploads
  WHERE tenant_id = $1 AND finished_at IS NULL`;

/** The state of resumable uploads, shared by all instances: any of them can continue an upload. */
@Injectable()
export class RecordingUploadsService implements OnModuleInit {
  constructor(
    private readonly database: Database,
    private readonly objects: StoredObjectsService,
    private readonly quota: StorageQuota,
    private readonly usage: StorageUsage,
    private readonly clock: Clock,
  ) {}

  onModuleInit(): void {
    this.usage.register(UNFINISHED_BYTES);
  }

  /** @throws 403 plan_limit; 422 if the length is 0, the call was erased, the recording's department deleted, or the user has too many unfinished uploads */
  async create(
    scope: UploadScope,
    upload: Pick<RecordingUpload, 'id' | 'length' | 'metadata'>,
  ): Promise<RecordingUpload> {
    ensureNotEmpty(upload.length);
    return this.database.tenant(scope.tenant_id, async (tx) => {
      await this.quota.ensureWithinQuota(tx, scope.tenant_id, upload.length ?? 1);
      await ensureWithinOpenLimit(tx, scope, this.clock.now());
      await ensureCallTakesUploads(tx, scope);
      const created = await tx.one<RecordingUpload>(
        `INSERT INTO recording_uploads (tenant_id, call_id, user_id, id, metadata, length, expires_at, inserted_at)
         VALUES ($1, $2, $3, $4, $5, $6, $7, $8) RETURNING ${COLUMNS}`,
        [...valuesOf(scope, upload.id), upload.metadata, upload.length, this.expiry(), this.clock.now()],
      );
      if (!created) throw new Error('INSERT gave no row');
      return created;
    });
  }

  /** @throws 404 if it does not exist in this scope or has expired */
  async get(scope: UploadScope, id: string): Promise<RecordingUpload> {
    const [found] = await this.database.readTenant<[RecordingUpload]>(scope.tenant_id, [
      {
        text: `SELECT ${COLUMNS} FROM recording_uploads WHERE ${OWN} AND expires_at > $5`,
        values: [...valuesOf(scope, id), this.clock.now()],
      },
    ]);
    if (!found[0]) throw notFound('Upload');
    // Reads that are sent together return timestamps as text.
    return { ...found[0], expires_at: new Date(found[0].expires_at) };
  }

  /**
   * Sets the length of an upload that began without one.
   * @throws 403 plan_limit; 422 if it is 0, too short, or set already
   */
  async declareLength(scope: UploadScope, id: string, length: number): Promise<void> {
    ensureNotEmpty(length);
    await this.database.tenant(scope.tenant_id, async (tx) => {
      await this.quota.lock(tx, scope.tenant_id);
      const { received } = (await this.progress(tx, scope, id)) ?? { received: 0 };
      await this.quota.ensureWithinQuota(tx, scope.tenant_id, length - received);
      const declared = await tx.one(
        `UPDATE recording_uploads SET length = $5 WHERE ${OWN} AND length IS NULL AND received <= $5 RETURNING id`,
        [...valuesOf(scope, id), length],
      );
      if (!declared) throw unprocessable('length_is_known', 'The length of this upload is already set.');
    });
  }

  /**
   * Appends a stored part. Of concurrent requests with the same offset, one succeeds.
   * @throws 403 plan_limit if the length is not known yet, 409 if the upload continues at another offset, 404 if it was
   * deleted
   */
  addPart(
    scope: UploadScope,
    id: string,
    { start, object, content_type }: NewPart,
  ): Promise<RecordingUpload> {
    return this.database.tenant(scope.tenant_id, async (tx) => {
      const progress = await this.progress(tx, scope, id);
      if (progress?.length === null) await this.quota.ensureWithinQuota(tx, scope.tenant_id, object.size);
      const updated = await tx.one<RecordingUpload>(
        `UPDATE recording_uploads
         SET received = received + $6, content_type = COALESCE(content_type, $7), expires_at = $8
         WHERE ${OWN} AND received = $5 AND received + $6 <= COALESCE(length, received + $6)
         RETURNING ${COLUMNS}`,
        [...valuesOf(scope, id), start, object.size, content_type, this.expiry()],
      );
      if (!updated) throw await this.addPartError(tx, id);
      await this.objects.keep(tx, object.key);
      await tx.query(
        `INSERT INTO recording_upload_parts (upload_id, tenant_id, start_byte, size, storage_key)
         VALUES ($1, $2, $3, $4, $5)`,
        [id, scope.tenant_id, start, object.size, object.key],
      );
      return updated;
    });
  }

  /** Cancels an upload. The next sweep of the storage deletes its parts. @throws 404 */
  async remove(scope: UploadScope, id: string): Promise<void> {
    await this.database.tenant(scope.tenant_id, async (tx) => {
      const deleted = await tx.one(
        `DELETE FROM recording_uploads WHERE ${OWN} RETURNING id`,
        valuesOf(scope, id),
      );
      if (!deleted) throw notFound('Upload');
    });
  }

  private progress(
    tx: Transaction,
    scope: UploadScope,
    id: string,
  ): Promise<Pick<RecordingUpload, 'length' | 'received'> | undefined> {
    return tx.one(
      `SELECT length::float8 AS length, received::float8 AS received FROM recording_uploads WHERE ${OWN}`,
      valuesOf(scope, id),
    );
  }

  private async addPartError(tx: Transaction, id: string): Promise<ApiError> {
    const exists = await tx.one('SELECT id FROM recording_uploads WHERE id = $1', [id]);
    return exists ? offsetConflict() : notFound('Upload');
  }

  private expiry(): Date {
    return this.clock.in(UPLOAD_TTL_SECONDS);
  }
}

const valuesOf = ({ tenant_id, call_id, user_id }: UploadScope, id: string) => [
  tenant_id,
  call_id,
  user_id,
  id,
];
