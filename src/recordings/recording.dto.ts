import { ApiProperty, ApiPropertyOptional } from '@nestjs/swagger';
import { IsIn, IsOptional, IsString, IsUUID } from 'class-validator';
import { IntegerField, LowerCase, TextField, TimestampField, UuidField } from '../platform/http/input/fields';
import { IgnoresUnknownParameters } from '../platform/http/input/dto-options';

export class RecordingDto {
  @UuidField()
  id: string;

  @UuidField()
  call_id: string;

  @TextField({ example: 'video/webm' })
  content_type: string;

  @IntegerField({ max: Number.MAX_SAFE_INTEGER, description: 'Bytes', example: 73_400_320 })
  size: number;

  @IntegerField({
    optional: true,
    description: 'Seconds; null if unknown, or if it is still being determined',
    example: 184,
  })
  duration: number | null;

  @TextField({
    description: 'Hash of the content, lower-case hex',
    example: '9f86d081884c7d659a2feaa0c55ad015a3bf4f1b2b0b822cd15d6c15b0f00a08',
  })
  sha256: string;

  @TextField({
    description: 'Relative; it names this recording',
    example:
      '/api/v1/calls/7f8c1c43-61ab-4a4c-9ea2-6d35b1f1a5a5/recording?recording_id=3f0c2a52-6a53-4d43-9a8e-6f2a2d1a9e11',
  })
  url: string;

  @TimestampField()
  inserted_at: string;
}

export class RecordingQuery {
  // Unlike a filter, an empty id is rejected: ignoring it would select, and could delete, the newest recording.
  @ApiPropertyOptional({ format: 'uuid', description: 'Default: the newest recording' })
  @IsOptional()
  @LowerCase()
  @IsUUID()
  recording_id?: string;
}

export class RecordingTicketDto {
  @TextField({ max: 2000, description: 'Relative', example: '/api/v1/recordings/play?ticket=eyJhbGciOi…' })
  url: string;

  @TimestampField({ description: 'When the URL expires' })
  expires_at: string;
}

@IgnoresUnknownParameters()
export class TicketQuery {
  @ApiProperty({ description: 'From POST …/recording/ticket' })
  @IsString()
  ticket: string;

  @ApiPropertyOptional({
    enum: ['true'],
    description: 'The browser saves the recording instead of playing it',
  })
  @IsOptional()
  @IsIn(['true'])
  download?: 'true';
}
