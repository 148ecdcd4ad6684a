import { Column, Entity, PrimaryGeneratedColumn } from 'typeorm';
import type { OfferStatus } from './offer.machine';

/**
 * How an offer came about: from the line, by a supervisor, or as a transfer of an active call to its agent.
 */
export const OFFER_KINDS = ['line', 'forced', 'transfer'] as const;

export type OfferKind = (typeof OFFER_KINDS)[number];

/** A call that an agent may take. At most one offer of a call and one of an agent is pending. */
@Entity('offers')
export class Offer {
  @PrimaryGeneratedColumn('uuid')
  id: string;

  @Column('uuid')
  tenant_id: string;

  @Column('uuid')
  call_id: string;

  /** The department in whose line the call waited, or waits. */
  @Column('uuid', { nullable: true })
  department_id: string | null;

  @Column('uuid')
  user_id: string;

  @Column('text')
  kind: OfferKind;

  /** The supervisor who forced the offer, or the agent who transfers the call. */
  @Column('uuid', { nullable: true })
  offered_by: string | null;

  /** What the agent who transfers the call, or transferred it to this department, says about it. */
  @Column('text', { nullable: true })
  note: string | null;

  @Column('text')
  status: OfferStatus;

  /** Why it was declined or withdrawn. */
  @Column('text', { nullable: true })
  reason: string | null;

  @Column('timestamptz')
  offered_at: Date;

  @Column('timestamptz')
  expires_at: Date;

  @Column('timestamptz', { nullable: true })
  ended_at: Date | null;

  /** Since when the agent had been idle. */
  @Column('timestamptz', { nullable: true })
  available_since: Date | null;

  /** When the offer is withdrawn because the customer has lost their socket. */
  @Column('timestamptz', { nullable: true })
  customer_deadline: Date | null;
}
