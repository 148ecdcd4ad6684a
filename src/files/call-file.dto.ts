import { UploadedFileDto } from '../calls/chat/uploaded-file.dto';
import { naturalOrder } from '../platform/database/natural-order';
import { TextField, TimestampField } from '../platform/http/input/fields';
import { pageQuery } from '../platform/http/lists/pagination';

export class CallFileDto extends UploadedFileDto {
  @TextField({
    example: '9f86d081884c7d659a2feaa0c55ad015a3bf4f1b2b0b822cd15d6c15b0f00a08',
    description: 'Hash of the content, lower-case hex',
  })
  sha256: string;

  @TimestampField()
  inserted_at: string;
}

export const FILE_SORTABLE = {
  id: 'f.id',
  filename: naturalOrder('f.filename'),
  content_type: 'f.content_type',
  size: 'f.size',
  url: 'f.id',
  sha256: 'f.sha256',
  inserted_at: 'f.inserted_at',
} as const;

const SORT_COLUMNS = Object.keys(FILE_SORTABLE) as (keyof typeof FILE_SORTABLE)[];

export class CallFileListQuery extends pageQuery(SORT_COLUMNS, {
  sort_by: 'inserted_at',
  sort_order: 'asc',
}) {}
