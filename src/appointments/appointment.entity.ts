import { Column, Entity, PrimaryGeneratedColumn } from 'typeorm';
import type { AppointmentStatus } from './appointment.machine';

/** A time that an agent keeps for a customer. */
@Entity('appointments')
export class Appointment {
  @PrimaryGeneratedColumn('uuid')
  id: string;

  @Column('uuid')
  tenant_id: string;

  @Column('uuid', { nullable: true })
  department_id: string | null;

  /** The agent. Their live appointments never overlap: the database refuses it. */
  @Column('uuid')
  user_id: string;

  @Column('uuid', { nullable: true })
  customer_id: string | null;

  @Column('text', { nullable: true })
  title: string | null;

  /** For staff alone. */
  @Column('text', { nullable: true })
  notes: string | null;

  @Column('timestamptz')
  starts_at: Date;

  @Column('timestamptz')
  ends_at: Date;

  /** Written by appointment-states.ts alone. */
  @Column('text', { default: 'scheduled' })
  status: AppointmentStatus;

  /** Made on confirmation. */
  @Column('uuid', { nullable: true })
  access_link_id: string | null;

  /** Which version of the invitation is the present one (RFC 5545, 3.8.7.4). */
  @Column('integer', { default: 0 })
  sequence: number;

  /** When the customer was last invited; null without an address. */
  @Column('timestamptz', { nullable: true })
  invited_at: Date | null;

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
