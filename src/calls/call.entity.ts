import { Column, Entity, PrimaryGeneratedColumn } from 'typeorm';
import type { CallStatus, EndReason } from './machine/call.machine';

/** A customer's visit: waiting, talking, or over. `status` is written by transition-call.ts alone. */
@Entity('calls')
export class Call {
  @PrimaryGeneratedColumn('uuid')
  id: string;

  @Column('uuid')
  tenant_id: string;

  @Column('text')
  status: CallStatus;

  /** Grows by one with each change, and stands on each of the call's events. */
  @Column('integer', { default: 1 })
  version: number;

  @Column('uuid', { nullable: true })
  department_id: string | null;

  @Column('text')
  department_name: string;

  @Column('uuid', { nullable: true })
  access_link_id: string | null;

  @Column('uuid', { nullable: true })
  customer_id: string | null;

  @Column('text')
  customer_name: string;

  @Column('text', { nullable: true })
  customer_email: string | null;

  @Column('text', { nullable: true })
  customer_phone: string | null;

  @Column('text', { nullable: true })
  reason: string | null;

  /** The agent. */
  @Column('uuid', { nullable: true })
  user_id: string | null;

  @Column('text', { nullable: true })
  user_name: string | null;

  /** Seconds, as promised at the join. */
  @Column('integer')
  estimated_wait_time: number;

  /** Seconds, once known. */
  @Column('integer', { nullable: true })
  wait_time: number | null;

  /** Seconds from start to completion. */
  @Column('integer', { nullable: true })
  duration: number | null;

  @Column('integer', { nullable: true })
  rating: number | null;

  @Column('text', { nullable: true })
  rating_comment: string | null;

  @Column('timestamptz', { nullable: true })
  rated_at: Date | null;

  @Column('text', { nullable: true })
  notes: string | null;

  /** One entry a line, each with its time and author; only ever added to. */
  @Column('text', { nullable: true })
  manager_notes: string | null;

  @Column('boolean', { default: false })
  has_recording: boolean;

  @Column('text', { nullable: true })
  end_reason: EndReason | null;

  @Column('timestamptz')
  inserted_at: Date;

  @Column('timestamptz', { nullable: true })
  assigned_at: Date | null;

  @Column('timestamptz', { nullable: true })
  started_at: Date | null;

  @Column('timestamptz', { nullable: true })
  completed_at: Date | null;

  /** When it reached any final state. */
  @Column('timestamptz', { nullable: true })
  ended_at: Date | null;

  /** When the customer first had a socket in this call. */
  @Column('timestamptz', { nullable: true })
  customer_connected_at: Date | null;

  /** When the present agent first had a socket in this call. */
  @Column('timestamptz', { nullable: true })
  agent_connected_at: Date | null;

  @Column('timestamptz', { nullable: true })
  disconnected_at: Date | null;

  @Column('timestamptz', { nullable: true })
  reconnected_at: Date | null;

  @Column('timestamptz', { nullable: true })
  wait_deadline: Date | null;

  @Column('timestamptz', { nullable: true })
  absence_deadline: Date | null;

  @Column('timestamptz', { nullable: true })
  ring_deadline: Date | null;

  @Column('timestamptz', { nullable: true })
  customer_grace_deadline: Date | null;

  @Column('timestamptz', { nullable: true })
  agent_grace_deadline: Date | null;

  /** From this moment on the call goes before all that have none. */
  @Column('timestamptz', { nullable: true })
  priority_since: Date | null;

  /** When it will. */
  @Column('timestamptz', { nullable: true })
  priority_deadline: Date | null;

  /** The agent with whom the customer has an appointment. */
  @Column('uuid', { nullable: true })
  reserved_user_id: string | null;

  /** When its customer had everything about themselves erased. */
  @Column('timestamptz', { nullable: true })
  erased_at: Date | null;

  @Column('timestamptz')
  updated_at: Date;
}
