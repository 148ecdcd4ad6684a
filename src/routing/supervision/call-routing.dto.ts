import { ChoiceField, IntegerField, TextField } from '../../platform/http/input/fields';
import { EXPLANATION_CODES, type RoutingExplanation } from './explain-routing.rules';

/** Why a call has not been offered to an agent. */
export class CallRoutingDto implements RoutingExplanation {
  @IntegerField({ example: 4, description: 'Active members of the department' })
  members: number;

  @IntegerField({ example: 0, description: 'Users who may be offered the call now' })
  eligible: number;

  @IntegerField({
    example: 1,
    description: 'Members who are available, whether or not they may be offered this call',
  })
  available: number;

  @IntegerField({
    example: 0,
    description: 'Members who declined or missed an offer of the call within the last 10 seconds',
  })
  excluded: number;

  @IntegerField({ example: 3, description: 'Members without the skills that the call still needs' })
  lacking_skills: number;

  @ChoiceField(EXPLANATION_CODES, { example: 'not_available' })
  code: RoutingExplanation['code'];

  @TextField({
    example: 'No member who could take the call is available: in a call: 1.',
    description: 'The reason in words, in English',
  })
  reason: string;
}
