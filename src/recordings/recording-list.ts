import { Injectable } from '@nestjs/common';
import { selectList } from '../platform/database/columns';
import { Database } from '../platform/database/database';
import { notFound } from '../platform/http/errors/api-error';
import { dayOf } from '../platform/clock/time-zone';
import { Filter } from '../platform/database/filter';
import type { Download } from '../files/downloads/send-object';
import { RECORDING_COLUMNS } from './recording.columns';
import type { RecordingDto } from './recording.dto';
import { recordingFilename } from './recording-filename';

const DOWNLOAD_COLUMNS = `r.id, r.call_id, r.storage_key AS key, r.size::float8 AS size, r.sha256, r.content_type,
  r.is_type_declared, r.inserted_at, t.timezone`;

const ORDER_BY_NEWEST = 'ORDER BY inserted_at DESC, id DESC';

/** Selects a recording by its id, or the newest one of a call. */
export type RecordingSelector =
  { call_id: string; recording_id?: string | undefined } | { call_id?: undefined; recording_id: string };

/** A recording to be downloaded. */
export type RecordingDownload = Download & { id: string; call_id: string };

type DownloadRow = Omit<RecordingDownload, 'filename' | 'last_modified'> & {
  inserted_at: string;
  timezone: string;
};

/** Reads recordings. */
@Injectable()
export class RecordingList {
  constructor(private readonly database: Database) {}

  /** @returns the recordings of a call, newest first */
  async all(tenantId: string, callId: string): Promise<RecordingDto[]> {
    const [recordings] = await this.database.readTenant<[RecordingDto]>(tenantId, [
      {
        text: `SELECT ${selectList(RECORDING_COLUMNS)} FROM recordings WHERE tenant_id = $1 AND call_id = $2 ${ORDER_BY_NEWEST}`,
        values: [tenantId, callId],
      },
    ]);
    return recordings;
  }

  /** @throws 404, also for a recording of another call, and for any recording of a suspended tenant */
  async find(tenantId: string, { call_id, recording_id }: RecordingSelector): Promise<RecordingDownload> {
    const filter = new Filter()
      .and('r.tenant_id = ?', tenantId)
      .andIf('r.call_id = ?', call_id)
      .andIf('r.id = ?', recording_id);
    const [rows] = await this.database.readTenant<[DownloadRow]>(tenantId, [
      {
        text: `SELECT ${DOWNLOAD_COLUMNS} FROM recordings r
                 JOIN tenants t ON t.id = r.tenant_id AND t.suspended_at IS NULL
               ${filter.sql} ${ORDER_BY_NEWEST} LIMIT 1`,
        values: filter.values,
      },
    ]);
    if (!rows[0]) throw notFound('Recording');
    const { inserted_at, timezone, ...content } = rows[0];
    const last_modified = new Date(inserted_at);
    // As of exports, and as lists show it.
    const day = dayOf(last_modified, timezone);
    return { ...content, last_modified, filename: recordingFilename(content.content_type, day) };
  }
}
