import { Column, Entity, PrimaryColumn } from 'typeorm';
import type { CallbackChannel } from './callback.machine';

/** How the customer of a call is called back; the call has the status. Only `Callbacks` writes it. */
@Entity('callbacks')
export class Callback {
  @PrimaryColumn('uuid')
  call_id: string;

  @Column('uuid')
  tenant_id: string;

  @Column('text')
  channel: CallbackChannel;

  /** Where the invitation goes; null for the channel webhook. */
  @Column('text', { nullable: true })
  email: string | null;

  /** Invitations so far. */
  @Column('smallint', { default: 0 })
  attempts: number;

  @Column('timestamptz')
  requested_at: Date;

  /** When the customer asked for the first callback of the call; null if an earlier release has recorded it. */
  @Column('timestamptz', { nullable: true })
  first_requested_at: Date | null;

  /** The sessions of the pages that were there before an invitation, the latest first. */
  @Column('text', { array: true, default: '{}' })
  page_sessions: string[];

  @Column('timestamptz', { nullable: true })
  invited_at: Date | null;

  /** From when on the customer may be invited; null unless the callback is requested. A trigger clears it, too. */
  @Column('timestamptz', { nullable: true })
  next_attempt_at: Date | null;

  /** When the invitation expires; null unless the customer is invited. A trigger clears it, too. */
  @Column('timestamptz', { nullable: true })
  next_deadline: Date | null;
}
