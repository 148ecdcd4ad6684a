import { Column, CreateDateColumn, Entity, PrimaryGeneratedColumn, UpdateDateColumn } from 'typeorm';
import type { AgentSelection, RoutingMode } from './department-routing.dto';
import type { OnClose, OpeningHours } from './hours/opening-hours';

/** A group of agents with a queue of its own. */
@Entity('departments')
export class Department {
  @PrimaryGeneratedColumn('uuid')
  id: string;

  @Column('uuid')
  tenant_id: string;

  @Column('text')
  name: string;

  @Column('text')
  identifier: string;

  @Column('text', { nullable: true })
  description: string | null;

  @Column('boolean', { default: true })
  active: boolean;

  @Column('uuid', { nullable: true })
  sector_id: string | null;

  @Column('integer', { default: 20 })
  max_queue_size: number;

  /** Seconds. */
  @Column('integer', { default: 300 })
  max_wait_time: number;

  @Column('text', { default: 'manual' })
  routing: RoutingMode;

  /** Seconds. */
  @Column('integer', { default: 20 })
  offer_timeout: number;

  /** Seconds. */
  @Column('integer', { default: 0 })
  wrap_up_time: number;

  /** The number of unanswered assignments that make a call missed. */
  @Column('smallint', { default: 3 })
  max_unanswered: number;

  @Column('text', { default: 'longest_idle' })
  agent_selection: AgentSelection;

  /** Seconds; null: calls require their skills as long as they wait. */
  @Column('integer', { nullable: true, default: 60 })
  skill_relax_after: number | null;

  /** Seconds. */
  @Column('integer', { default: 30 })
  preferred_agent_wait: number;

  /** Seconds of waiting for each point of priority. */
  @Column('integer', { default: 60 })
  priority_step: number;

  /** Null: always open. */
  @Column('jsonb', { nullable: true })
  opening_hours: OpeningHours | null;

  /** Plain text for customers who come while it is closed. */
  @Column('text', { nullable: true })
  closed_message: string | null;

  @Column('text', { default: 'keep' })
  on_close: OnClose;

  /** Null: not known, or it never closes. */
  @Column('timestamptz', { nullable: true })
  closing_at: Date | null;

  /** When the closing is to be planned, announced or carried out; null unless it ends calls. */
  @Column('timestamptz', { nullable: true })
  closing_deadline: Date | null;

  /** Seconds of waiting after which calls overflow; null: never. */
  @Column('integer', { nullable: true })
  overflow_after: number | null;

  /** The department in whose line calls wait, too, after overflow_after; null: none. */
  @Column('uuid', { nullable: true })
  overflow_department_id: string | null;

  /** Whether waiting customers can request a callback. */
  @Column('boolean', { default: false })
  callback_enabled: boolean;

  /** How many times a customer is invited to return before the call ends. */
  @Column('smallint', { default: 2 })
  callback_attempts: number;

  /** Seconds that an invited customer has to return. */
  @Column('integer', { default: 600 })
  callback_window: number;

  @CreateDateColumn({ type: 'timestamptz' })
  inserted_at: Date;

  @UpdateDateColumn({ type: 'timestamptz' })
  updated_at: Date;
}
