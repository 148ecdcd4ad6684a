import { Column, Entity, PrimaryGeneratedColumn } from 'typeorm';
import type { AppointmentStatus } from './appointment.machine';

/** Time that an agent reserves for a customer. */
@Entity('appointments')
export class Appointment {
  @PrimaryGeneratedColumn('uuid')
  id: string;

  @Column('uuid')
  tenant_id: string;

  @Column('uuid', { nullable: true })
  department_id: string | null;

  /** The agent. An exclusion constraint prevents overlapping live appointments. */
  @Column('uuid')
  user_id: string;

  @Column('uuid', { nullable: true })
  customer_id: string | null;

  @Column('text', { nullable: true })
  title: string | null;

  /** Visible to staff only. */
  @Column('text', { nullable: true })
  notes: string | null;

  @Column('timestamptz')
  starts_at: Date;

  @Column('timestamptz')
  ends_at: Date;

  /** Written only by AppointmentTransitions. */
  @Column('text', { default: 'scheduled' })
  status: AppointmentStatus;

  /** Created on confirmation. */
  @Column('uuid', { nullable: true })
  access_link_id: string | null;

  /** Version of the invitation (RFC 5545, 3.8.7.4). */
  @Column('integer', { default: 0 })
  sequence: number;

  /** When the customer was last invited; null if the customer has no e-mail address. */
  @Column('timestamptz', { nullable: true })
  invited_at: Date | null;

  /** The encrypted Recipient who was last invited, while the appointment is confirmed; see AppointmentMailQueue. */
  @Column('text', { nullable: true })
  sealed_recipient: string | null;

  @Column('timestamptz', { nullable: true })
  reminder_day_deadline: Date | null;

  @Column('timestamptz', { nullable: true })
  reminder_soon_deadline: Date | null;

  @Column('timestamptz', { nullable: true })
  no_show_deadline: Date | null;

  @Column('uuid', { nullable: true })
  created_by: string | null;

  @Column('timestamptz')
  inserted_at: Date;

  @Column('timestamptz')
  updated_at: Date;
}
