import { ChoiceField, ObjectField, TimestampField, UuidField } from '../../platform/http/input/fields';
import { ALERT_KINDS, type AlertKind } from '../../routing/alerts/alert.events';
import { OfferDto } from '../../routing/offers/offer.dto';
import { CallPayload } from './call.payloads';

/** An offer, and its call as the same transaction left it. */
export class OfferPayload extends OfferDto {
  @ObjectField(() => CallPayload)
  call: CallPayload;
}

export class QueueAlertPayload {
  @ChoiceField(ALERT_KINDS, {
    description:
      '`longest_wait`: a call has waited for alert_longest_wait; `nobody_available`: calls wait and all agents of the ' +
      'department are offline or paused',
  })
  kind: AlertKind;

  @UuidField()
  department_id: string;

  @TimestampField({ description: 'Since when this has been so' })
  since: string;
}
