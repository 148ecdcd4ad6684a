import { Injectable } from '@nestjs/common';
import { Database } from '../platform/database/database';
import { notFound } from '../platform/http/errors/api-error';
import { Filter } from '../platform/database/filter';
import { ListQuery } from '../platform/database/list-query';
import type { Page } from '../platform/database/page';
import type { Download } from './downloads/send-object';
import { type CallFileDto, type CallFileListQuery, FILE_SORTABLE } from './call-file.dto';

/** The columns of UploadedFileDto, of `call_files f`. */
export const UPLOADED_FILE_COLUMNS = `f.id, f.filename, f.content_type, f.size::float8 AS size,
  '/api/v1/calls/' || f.call_id || '/files/' || f.id AS url`;

const COLUMNS = `${UPLOADED_FILE_COLUMNS}, f.sha256, f.inserted_at`;

type DownloadRow = Omit<Download, 'last_modified'> & { inserted_at: string };

/** Reads the files of a call. The caller must be allowed to see the call. */
@Injectable()
export class CallFileList {
  constructor(
    private readonly database: Database,
    private readonly lists: ListQuery,
  ) {}

  page(tenantId: string, callId: string, query: CallFileListQuery): Promise<Page<CallFileDto>> {
    const filter = new Filter().and('f.tenant_id = ?', tenantId).and('f.call_id = ?', callId);
    return this.lists.page<CallFileDto>(
      tenantId,
      {
        select: COLUMNS,
        from: 'call_files f',
        filter,
        sortable: FILE_SORTABLE,
        indexedSorts: ['inserted_at'],
        id: 'f.id',
      },
      query,
    );
  }

  /** @throws 404, also for a file of another call */
  async download(tenantId: string, callId: string, id: string): Promise<Download> {
    const [rows] = await this.database.readTenant<[DownloadRow]>(tenantId, [
      {
        text: `SELECT storage_key AS key, size::float8 AS size, sha256, content_type,
                 is_type_declared, filename, inserted_at
               FROM call_files WHERE tenant_id = $1 AND call_id = $2 AND id = $3`,
        values: [tenantId, callId, id],
      },
    ]);
    const file = rows[0];
    if (!file) throw notFound('File');
    const { inserted_at, ...content } = file;
    return { ...content, last_modified: new Date(inserted_at) };
  }
}
