import { UuidField } from '../../platform/http/input/fields';

export class ForceOfferDto {
  @UuidField({ description: 'The agent, who must be available' })
  user_id: string;
}
