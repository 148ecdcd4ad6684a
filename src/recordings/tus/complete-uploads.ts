import { Injectable } from '@nestjs/common';
import { Clock } from '../../platform/clock/clock';
import { Database } from '../../platform/database/database';
import type { Transaction } from '../../platform/database/transaction';
import { EXPIRES_AFTER } from './recording-uploads';

/** How long whoever puts an upload together may be silent before another one tries. */
const LEASE_SECONDS = 120;
/** How many are finished in one run of the schedule. */
const BATCH = 20;
/** Seconds of silence after which more of a live recording is not waited for: its tab was closed. */
const LIVE_SILENCE = 60 * 60;

/** An upload of which all has come. */
export interface CompleteUpload {
  id: string;
  tenant_id: string;
  call_id: string;
  user_id: string | null;
  length: number;
  content_type: string | null;
  inserted_at: Date;
}

/** One that waits for somebody to finish it. */
export interface LeftUpload {
  tenant_id: string;
  id: string;
  user_id: string | null;
}

// Leases go by the database's clock, since hosts may disagree.
const LEASE = `now() + make_interval(secs => ${LEASE_SECONDS})`;
const FREE = `received = length AND finished_at IS NULL AND COALESCE(lease_until, '-infinity') <= now()`;

/** Uploads from their last byte on. */
@Injectable()
export class CompleteUploads {
  constructor(
    private readonly database: Database,
    private readonly clock: Clock,
  ) {}

  /** @returns undefined unless all of it has come, nobody has finished it and nobody is at it */
  lease(tenantId: string, id: string): Promise<CompleteUpload | undefined> {
    return this.database.tenant(tenantId, (tx) =>
      tx.one<CompleteUpload>(
        `UPDATE recording_uploads SET lease_until = ${LEASE} WHERE id = $1 AND ${FREE}
         RETURNING id, tenant_id, call_id, user_id, length::float8 AS length, content_type,
           inserted_at`,
        [id],
      ),
    );
  }

  async renew({ tenant_id, id }: CompleteUpload): Promise<void> {
    await this.database.tenant(tenant_id, (tx) =>
      tx.query(`UPDATE recording_uploads SET lease_until = ${LEASE} WHERE id = $1 AND finished_at IS NULL`, [
        id,
      ]),
    );
  }

  /**
   * Says of live recordings (Upload-Defer-Length) that have fallen silent that what has come is all: nobody else
   * will, and they are worth having up to there.
   */
  async endSilent(): Promise<void> {
    await this.database.system((tx) =>
      tx.query(
        `UPDATE recording_uploads SET length = received
         WHERE length IS NULL AND received > 0 AND finished_at IS NULL AND expires_at <= $1`,
        // Every byte that comes puts the expiry off.
        [this.clock.in(EXPIRES_AFTER - LIVE_SILENCE)],
      ),
    );
  }

  /** Those that nobody is at, the least lately tried first, so that none keeps the others waiting. */
  async left(): Promise<LeftUpload[]> {
    const [rows] = await this.database.readSystem<[LeftUpload]>([
      {
        text: `SELECT tenant_id, id, user_id FROM recording_uploads WHERE ${FREE}
               ORDER BY lease_until NULLS FIRST, inserted_at LIMIT ${BATCH}`,
      },
    ]);
    return rows;
  }

  /** Where its parts are stored, in order. */
  async keysOf({ tenant_id, id }: CompleteUpload): Promise<string[]> {
    const [rows] = await this.database.readTenant<[{ storage_key: string }]>(tenant_id, [
      {
        text: 'SELECT storage_key FROM recording_upload_parts WHERE upload_id = $1 ORDER BY start_byte',
        values: [id],
      },
    ]);
    return rows.map(({ storage_key }) => storage_key);
  }

  /**
   * Says in the recording's transaction that it is there. The upload stays for a day, for a client that did
   * not hear of the end; its parts go with the next sweep.
   * @returns false when another one has finished it, or it was given up
   */
  async markFinished(tx: Transaction, { id }: CompleteUpload): Promise<boolean> {
    const finished = await tx.one(
      `UPDATE recording_uploads SET finished_at = $2, expires_at = $3, lease_until = NULL
       WHERE id = $1 AND finished_at IS NULL RETURNING id`,
      [id, this.clock.now(), this.clock.in(EXPIRES_AFTER)],
    );
    if (finished) await tx.query('DELETE FROM recording_upload_parts WHERE upload_id = $1', [id]);
    return finished !== undefined;
  }

  /** Deletes what can be no recording; its parts go with the next sweep. */
  async giveUp({ tenant_id, id }: CompleteUpload): Promise<void> {
    await this.database.tenant(tenant_id, (tx) =>
      tx.query('DELETE FROM recording_uploads WHERE id = $1 AND finished_at IS NULL', [id]),
    );
  }

  /**
   * Deletes what was abandoned before its end, or needs no remembering any more; never what waits to be finished,
   * nor a live recording of which something has come.
   */
  async deleteExpired(): Promise<void> {
    await this.database.system((tx) =>
      tx.query(
        `DELETE FROM recording_uploads
         WHERE expires_at <= $1 AND (finished_at IS NOT NULL OR received = 0 OR received < length)`,
        [this.clock.now()],
      ),
    );
  }
}
