import { IntegerField, TextField, TimestampField, UuidField } from '../platform/http/fields';

export class RecordingDto {
  @UuidField()
  id: string;

  @UuidField()
  call_id: string;

  @TextField({ example: 'video/webm' })
  content_type: string;

  @IntegerField({ description: 'Bytes', example: 73_400_320 })
  size: number;

  @IntegerField({ optional: true, description: 'Seconds, where the container says', example: 184 })
  duration: number | null;

  @TextField({
    description: 'Of the content, lower-case hex',
    example: '9f86d081884c7d659a2feaa0c55ad015a3bf4f1b2b0b822cd15d6c15b0f00a08',
  })
  sha256: string;

  @TextField({
    description: 'Relative',
    example: '/api/v1/calls/7f8c1c43-61ab-4a4c-9ea2-6d35b1f1a5a5/recording',
  })
  url: string;

  @TimestampField()
  inserted_at: string;
}
