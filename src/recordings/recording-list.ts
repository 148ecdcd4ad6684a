import { Injectable } from '@nestjs/common';
import { selectList } from '../platform/database/columns';
import { Database } from '../platform/database/database';
import { notFound } from '../platform/http/errors/api-error';
import { Filter } from '../platform/database/filter';
import type { Download } from '../platform/http/downloads/send-object';
import { RECORDING_COLUMNS } from './recording.columns';
import type { RecordingDto } from './recording.dto';
import { recordingFilename } from './recording-filename';

const DOWNLOAD_COLUMNS = 'id, storage_key AS key, size::float8 AS size, sha256, content_type, inserted_at';

const NEWEST_FIRST = 'ORDER BY inserted_at DESC, id DESC';

/** A recording by its id, or the newest of a call. */
export type WhichRecording =
  { call_id: string; recording_id?: string | undefined } | { call_id?: undefined; recording_id: string };

/** A recording as it is sent. */
export type PlayableRecording = Download & { id: string };

type PlayableRow = Omit<PlayableRecording, 'filename' | 'last_modified'> & { inserted_at: string };

/** Recordings to be read. */
@Injectable()
export class RecordingList {
  constructor(private readonly database: Database) {}

  /** All of a call, the newest first. */
  async all(tenantId: string, callId: string): Promise<RecordingDto[]> {
    const [recordings] = await this.database.readTenant<[RecordingDto]>(tenantId, [
      {
        text: `SELECT ${selectList(RECORDING_COLUMNS)} FROM recordings WHERE tenant_id = $1 AND call_id = $2 ${NEWEST_FIRST}`,
        values: [tenantId, callId],
      },
    ]);
    return recordings;
  }

  /** @throws 404, also for a recording of another call, and for all of a suspended tenant */
  async find(tenantId: string, { call_id, recording_id }: WhichRecording): Promise<PlayableRecording> {
    const filter = new Filter()
      .and('r.tenant_id = ?', tenantId)
      .andIf('r.call_id = ?', call_id)
      .andIf('r.id = ?', recording_id);
    const [rows] = await this.database.readTenant<[PlayableRow]>(tenantId, [
      {
        text: `SELECT ${DOWNLOAD_COLUMNS} FROM recordings r ${filter.sql}
                 AND EXISTS (SELECT FROM tenants t WHERE t.id = r.tenant_id AND t.suspended_at IS NULL)
               ${NEWEST_FIRST} LIMIT 1`,
        values: filter.values,
      },
    ]);
    if (!rows[0]) throw notFound('Recording');
    const { inserted_at, ...content } = rows[0];
    const last_modified = new Date(inserted_at);
    return { ...content, last_modified, filename: recordingFilename(content.content_type, last_modified) };
  }
}
