import {
  BooleanField,
  ChoiceField,
  ObjectField,
  TextField,
  TimestampField,
  UuidField,
} from '../../platform/http/input/fields';
import { type Offer, OFFER_KINDS, type OfferKind } from './offer.entity';
import { OFFER_STATUSES, type OfferStatus } from './offer.machine';

/** The appointment of a call that is offered. */
export class OfferedAppointmentDto {
  @UuidField()
  id: string;

  @TextField({ optional: true, example: 'Contract renewal' })
  title: string | null;

  @TimestampField({ example: '2027-01-31T12:00:00.000Z' })
  starts_at: string;

  @TimestampField({ example: '2027-01-31T12:30:00.000Z' })
  ends_at: string;
}

/** An offer as it is stored, with what the agent is to know of its call. */
export type OfferRow = Offer & Pick<OfferDto, 'appointment' | 'known_customer'>;

/** An offer as clients see it. */
export class OfferDto {
  @UuidField()
  id: string;

  @UuidField()
  call_id: string;

  @UuidField({ optional: true, description: 'The department in whose line the call waits' })
  department_id: string | null;

  @UuidField({ description: 'The agent who is offered the call' })
  user_id: string;

  @ChoiceField(OFFER_KINDS, {
    example: 'line',
    description: '`forced` by a supervisor; `transfer`: the agent of an active call hands it over',
  })
  kind: OfferKind;

  @UuidField({
    optional: true,
    example: null,
    description: 'Who forced the offer, or transfers the call',
  })
  offered_by: string | null;

  @TextField({
    optional: true,
    max: 2000,
    example: null,
    description: 'Of a transfer, to the agent or to the department',
  })
  note: string | null;

  @ObjectField(() => OfferedAppointmentDto, {
    optional: true,
    example: null,
    description: 'The appointment for which the customer came; null without one',
  })
  appointment: OfferedAppointmentDto | null;

  @BooleanField({ example: true, description: 'Whether the customer has called before' })
  known_customer: boolean;

  @ChoiceField(OFFER_STATUSES, { example: 'pending' })
  status: OfferStatus;

  @TextField({ optional: true, example: null, description: 'Why it was declined or withdrawn' })
  reason: string | null;

  @TimestampField()
  offered_at: string;

  @TimestampField({ description: 'The agent can answer until then' })
  expires_at: string;

  @TimestampField({ optional: true, example: null })
  ended_at: string | null;
}

export function toOfferDto(offer: OfferRow): OfferDto {
  const { id, call_id, department_id, user_id, kind, offered_by, note, status, reason } = offer;
  const { appointment, known_customer } = offer;
  return {
    id,
    call_id,
    department_id,
    user_id,
    kind,
    offered_by,
    note,
    appointment,
    known_customer,
    status,
    reason,
    offered_at: offer.offered_at.toISOString(),
    expires_at: offer.expires_at.toISOString(),
    ended_at: offer.ended_at?.toISOString() ?? null,
  };
}

export class DeclineOfferDto {
  @TextField({ optional: true, max: 500, example: 'I know this customer' })
  reason?: string | null;
}
