import { naturalOrder } from '../platform/database/natural-order';
import { IntegerField, TextField, TimestampField, UuidField } from '../platform/http/input/fields';
import { pageQuery } from '../platform/http/lists/pagination';

export class UploadedFileDto {
  @UuidField()
  id: string;

  @TextField({ example: 'contract.pdf' })
  filename: string;

  @TextField({
    example: 'application/pdf',
    description: 'Detected from the content; the declared type if the content has no signature',
  })
  content_type: string;

  @IntegerField({ max: Number.MAX_SAFE_INTEGER, example: 48_211, description: 'Bytes' })
  size: number;

  @TextField({
    example: '/api/v1/calls/7f8c1c43-61ab-4a4c-9ea2-6d35b1f1a5a5/files/3f0c2a52-6a53-4d43-9a8e-6f2a2d1a9e11',
    description: 'Relative; requires an access token',
  })
  url: string;
}

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
