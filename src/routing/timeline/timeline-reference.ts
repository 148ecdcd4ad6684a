import { Injectable, type OnModuleInit } from '@nestjs/common';
import { OpenApiRegistry } from '../../platform/http/openapi/openapi-registry';
import { TimelineEntryDto } from './timeline.dto';

const DESCRIPTION =
  'What happened to a call. The fields besides those below depend on the type: `joined` has department_id; `offered` ' +
  'offer_id, kind and candidates (at most 10, the best one first: user_id, user_name, idle_since and skills with ' +
  'skill_id and level), offered_by and note if a person made the offer; `accepted`, `declined`, `expired` and ' +
  '`withdrawn` offer_id and reason; `assigned` previous_user_id; `requeued` unanswered_count; `overflowed` ' +
  'to_department_id; `peer_disconnected` ' +
  'participant and deadline; `peer_reconnected` participant; `transferred` to_department_id, to_user_id and note; ' +
  '`callback_requested`, `callback_invited`, `callback_returned`, `callback_expired` and `callback_cancelled` attempts ' +
  '(invitations so far, null if the call ended) and invited_until; ' +
  '`device_report` (the latest) its fields; `quality_report` participant and the summary of one minute of one side; ' +
  '`recording_state` participant, recording and consent; ' +
  '`completed`, `missed`, `cancelled` and `abandoned` end_reason; `rated` rating and rated_by (token or address; entries of earlier releases have none).';

/** Documents that entries of a timeline have more fields than those that all of them have. */
@Injectable()
export class TimelineReference implements OnModuleInit {
  constructor(private readonly additions: OpenApiRegistry) {}

  onModuleInit(): void {
    this.additions.register({
      models: [TimelineEntryDto],
      describe: ({ components }) => {
        const schema = components?.schemas?.[TimelineEntryDto.name];
        Object.assign(schema ?? {}, { description: DESCRIPTION, additionalProperties: true });
      },
    });
  }
}
