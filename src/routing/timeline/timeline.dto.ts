import { TextField, TimestampField, UuidField } from '../../platform/http/input/fields';

/** What happened to a call. Depending on its type, an entry has more fields, which TimelineReference documents. */
export class TimelineEntryDto {
  @TimestampField()
  at: string;

  @TextField({
    example: 'started',
    description: 'What happened. Clients must expect other types than those of this version',
  })
  type: string;

  @UuidField({ optional: true, description: 'The agent whom the entry is about' })
  user_id: string | null;

  @TextField({ optional: true, example: 'Ana Souza', description: "The agent's current name" })
  user_name: string | null;
}
