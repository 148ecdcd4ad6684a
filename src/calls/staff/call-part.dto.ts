import { ChoiceField, TextField, TimestampField, UuidField } from '../../platform/http/input/fields';

/** How an agent's part of a call ended. */
const PART_ENDS = ['completed', 'transferred', 'disconnect'] as const;

/** The time that one agent spent with a call. */
export class CallPartDto {
  @UuidField({ optional: true, description: 'The agent' })
  user_id: string | null;

  @TextField({ optional: true, example: 'Ana Souza' })
  user_name: string | null;

  @UuidField({ optional: true, description: 'The department that the call was in' })
  department_id: string | null;

  @TimestampField({ example: '2026-01-31T12:00:50.000Z' })
  started_at: string;

  @TimestampField({ optional: true, example: '2026-01-31T12:03:54.000Z' })
  ended_at: string | null;

  @ChoiceField(PART_ENDS, {
    optional: true,
    example: 'completed',
    description: '`disconnect`: a participant did not reconnect in time; null while the part lasts',
  })
  ended_by: (typeof PART_ENDS)[number] | null;
}
