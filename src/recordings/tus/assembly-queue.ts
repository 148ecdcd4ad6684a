import { Injectable } from '@nestjs/common';
import { Clock } from '../../platform/clock/clock';
import { Database } from '../../platform/database/database';
import type { Transaction } from '../../platform/database/transaction';
import { UPLOAD_TTL_SECONDS } from './recording-uploads.service';

/** After this time without a renewal, another process may assemble the upload. */
const LEASE_SECONDS = 120;
const BATCH_SIZE = 100;

/** A leased upload of which all bytes have been received. */
export interface CompletedUpload {
  id: string;
  tenant_id: string;
  call_id: string;
  user_id: string | null;
  length: number;
  content_type: string | null;
  /** The Upload-Metadata header as the client sent it. */
  metadata: string | null;
  inserted_at: Date;
}

/** A completed upload that no process has leased. */
export interface PendingUpload {
  tenant_id: string;
  id: string;
  user_id: string | null;
}

// Leases use the database's clock, since those of the hosts may differ.
const LEASE = `now() + make_interval(secs => ${LEASE_SECONDS})`;
const PENDING = `received = length AND finished_at IS NULL AND COALESCE(lease_until, '-infinity') <= now()`;

/** Completed uploads that have to be assembled, each leased by one process at a time. */
@Injectable()
export class AssemblyQueue {
  constructor(
    private readonly database: Database,
    private readonly clock: Clock,
  ) {}

  /** @returns undefined if the upload is incomplete, finished or leased by another process */
  lease(tenantId: string, id: string): Promise<CompletedUpload | undefined> {
    return this.database.tenant(tenantId, (tx) =>
      tx.one<CompletedUpload>(
        `UPDATE recording_uploads SET lease_until = ${LEASE} WHERE id = $1 AND ${PENDING}
         RETURNING id, tenant_id, call_id, user_id, length::float8 AS length, content_type,
           metadata, inserted_at`,
        [id],
      ),
    );
  }

  async renew({ tenant_id, id }: CompletedUpload): Promise<void> {
    await this.database.tenant(tenant_id, (tx) =>
      tx.query(`UPDATE recording_uploads SET lease_until = ${LEASE} WHERE id = $1 AND finished_at IS NULL`, [
        id,
      ]),
    );
  }

  /** Ends the lease of an attempt that was aborted. */
  async release({ tenant_id, id }: CompletedUpload): Promise<void> {
    await this.database.tenant(tenant_id, (tx) =>
      tx.query('UPDATE recording_uploads SET lease_until = NULL WHERE id = $1 AND finished_at IS NULL', [id]),
    );
  }

  /** @returns a batch of pending uploads, least recently attempted first, so that a failing one blocks no other */
  async findPending(): Promise<PendingUpload[]> {
    const [rows] = await this.database.readSystem<[PendingUpload]>([
      {
        text: `SELECT tenant_id, id, user_id FROM recording_uploads WHERE ${PENDING}
               ORDER BY lease_until NULLS FIRST, inserted_at LIMIT ${BATCH_SIZE}`,
      },
    ]);
    return rows;
  }

  /** @returns the storage keys of the upload's parts, in order */
  async partKeys({ tenant_id, id }: CompletedUpload): Promise<string[]> {
    const [rows] = await this.database.readTenant<[{ storage_key: string }]>(tenant_id, [
      {
        text: 'SELECT storage_key FROM recording_upload_parts WHERE upload_id = $1 ORDER BY start_byte',
        values: [id],
      },
    ]);
    return rows.map(({ storage_key }) => storage_key);
  }

  /**
   * Marks the upload as finished, in the recording's transaction. It stays for a day, for a client that lost the last
   * response. The next sweep of the storage deletes its parts.
   * @returns false if another process finished it or it was deleted
   */
  async markFinished(tx: Transaction, { id }: CompletedUpload): Promise<boolean> {
    const finished = await tx.one(
      `UPDATE recording_uploads SET finished_at = $2, expires_at = $3, lease_until = NULL
       WHERE id = $1 AND finished_at IS NULL RETURNING id`,
      [id, this.clock.now(), this.clock.in(UPLOAD_TTL_SECONDS)],
    );
    if (finished) await tx.query('DELETE FROM recording_upload_parts WHERE upload_id = $1', [id]);
    return finished !== undefined;
  }

  /** Deletes an upload that cannot become a recording. The next sweep of the storage deletes its parts. */
  async discard({ tenant_id, id }: CompletedUpload): Promise<void> {
    await this.database.tenant(tenant_id, (tx) =>
      tx.query('DELETE FROM recording_uploads WHERE id = $1 AND finished_at IS NULL', [id]),
    );
  }
}
