import { ChoiceField, TextField, TimestampField, UuidField } from '../../platform/http/input/fields';

export class TranscriptDto {
  @UuidField()
  call_id: string;

  @TextField({
    min: 0,
    max: 1_000_000,
    description: 'One line per turn of a speaker; empty if nobody speaks',
    example: 'A: Good morning, this is Ana.\nB: Hello, my card was blocked.',
  })
  transcript: string;

  @TextField({ description: 'BCP 47; `und` if unknown', example: 'pt' })
  language: string;

  @TimestampField()
  generated_at: string;
}

export class SummaryDto {
  @UuidField()
  call_id: string;

  @TextField({ max: 20_000, example: 'The customer’s card was blocked. Ana unblocked it. Nothing is open.' })
  summary: string;

  @TextField({ description: 'Host name of the AI server', example: 'api.openai.com' })
  provider: string;

  @TextField({ example: 'gpt-4o-mini' })
  model: string;

  @TimestampField()
  generated_at: string;
}

export class RetriedDto {
  @UuidField()
  call_id: string;

  @UuidField()
  recording_id: string;

  @ChoiceField(['pending'])
  status: 'pending';
}
