import { DomainEvent } from '../../platform/events/domain-event';
import type { OfferDto, OfferRow } from './offer.dto';
import type { OfferKind } from './offer.entity';
import type { FinalOfferStatus, OfferStatus } from './offer.machine';

/** An agent who could have been offered a call, so that its timeline answers "why this agent?" */
export interface OfferCandidate {
  user_id: string;
  /** ISO 8601. */
  idle_since: string | null;
  skills: { skill_id: string; level: number }[];
}

/** The base of events about an offer. The subject is the call, but its version stays: only staff see offers. */
export abstract class OfferEvent extends DomainEvent {
  readonly offer_id: string;
  readonly call_id: string;
  readonly department_id: string | null;
  readonly user_id: string;
  readonly kind: OfferKind;
  readonly offered_by: string | null;
  readonly note: string | null;
  readonly appointment: OfferDto['appointment'];
  readonly known_customer: boolean;
  readonly status: OfferStatus;
  readonly reason: string | null;
  readonly offered_at: string;
  readonly expires_at: string;
  readonly ended_at: string | null;

  constructor(offer: OfferRow, at: Date) {
    super(offer.tenant_id, offer.call_id, at.toISOString());
    this.offer_id = offer.id;
    this.call_id = offer.call_id;
    this.department_id = offer.department_id;
    this.user_id = offer.user_id;
    this.kind = offer.kind;
    this.offered_by = offer.offered_by;
    this.note = offer.note;
    this.appointment = offer.appointment;
    this.known_customer = offer.known_customer;
    this.status = offer.status;
    this.reason = offer.reason;
    this.offered_at = offer.offered_at.toISOString();
    this.expires_at = offer.expires_at.toISOString();
    this.ended_at = offer.ended_at?.toISOString() ?? null;
  }

  /** The offer as clients see it. */
  get offer(): OfferDto {
    const { offer_id: id, call_id, department_id, user_id, kind, offered_by, note } = this;
    const { appointment, known_customer, status, reason, offered_at, expires_at, ended_at } = this;
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
      offered_at,
      expires_at,
      ended_at,
    };
  }

  /** What staff wrote, possibly about the customer, as in the title of an appointment. The reason of a withdrawal is a fixed word. */
  override get personalFields() {
    const written = ['note', 'appointment'];
    return this.status === 'declined' ? [...written, 'reason'] : written;
  }

  override get details() {
    return { offer_id: this.offer_id, user_id: this.user_id, kind: this.kind };
  }
}

/** A call was offered to an agent. */
export class OfferMade extends OfferEvent {
  readonly type = 'call.offered';

  constructor(
    offer: OfferRow,
    at: Date,
    /** At most 10, the best one first; none for an offer that names its agent. */
    readonly candidates: OfferCandidate[],
    /** Since when the offer could have been made, ISO 8601; null for an offer that names its agent. */
    readonly possible_since: string | null,
  ) {
    super(offer, at);
  }
}

/** An offer was answered, expired or was withdrawn. */
export class OfferEnded extends OfferEvent {
  readonly type = 'call.offer_ended';
  declare readonly status: FinalOfferStatus;

  override get audited() {
    return this.status === 'accepted' || this.status === 'declined' ? 'by_actor' : ('never' as const);
  }

  override get details() {
    return { ...super.details, status: this.status };
  }
}
