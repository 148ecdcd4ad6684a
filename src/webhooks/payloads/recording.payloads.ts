import { OmitType } from '@nestjs/swagger';
import { TextField, UuidField } from '../../platform/http/input/fields';
import { RecordingDto } from '../../recordings/recording.dto';

export class RecordingPayload extends OmitType(RecordingDto, ['sha256'] as const) {}

/** Where a transcript or summary can be read. The text is not in the payload, since reading it needs permission. */
abstract class ResultPayload {
  @UuidField()
  recording_id: string;

  @UuidField({ example: '7f8c1c43-61ab-4a4c-9ea2-6d35b1f1a5a5' })
  call_id: string;
}

export class TranscriptPayload extends ResultPayload {
  @TextField({
    description: 'Relative to the service',
    example:
      '/api/v1/calls/7f8c1c43-61ab-4a4c-9ea2-6d35b1f1a5a5/transcript?recording_id=3f0c2a52-6a53-4d43-9a8e-6f2a2d1a9e11',
  })
  url: string;
}

export class SummaryPayload extends ResultPayload {
  @TextField({
    description: 'Relative to the service',
    example:
      '/api/v1/calls/7f8c1c43-61ab-4a4c-9ea2-6d35b1f1a5a5/summary?recording_id=3f0c2a52-6a53-4d43-9a8e-6f2a2d1a9e11',
  })
  url: string;
}
