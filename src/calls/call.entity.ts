import { Column, Entity, PrimaryGeneratedColumn } from 'typeorm';
import type { RequiredSkillDto } from '../access-links/required-skill.dto';
import type { CallbackStatus } from './callbacks/callback.machine';
import type { CallStatus, EndReason } from './machine/call.machine';
import type { DeviceReportDto } from './media/media.dto';
import type { RecordingStatus } from './media/recording-state.rules';
import type { JoinEstimate } from './queue/learning/join-estimate.rules';

/** A customer's call, from joining the queue to its end. Only CallTransitions writes `status`. */
@Entity('calls')
export class Call {
  @PrimaryGeneratedColumn('uuid')
  id: string;

  @Column('uuid')
  tenant_id: string;

  @Column('text')
  status: CallStatus;

  /** Incremented by CallWriter with each visible change, and sent with each event of the call. */
  @Column('integer', { default: 1 })
  version: number;

  /** Stays after the department is deleted. */
  @Column('uuid', { nullable: true })
  department_id: string | null;

  /** The department until the call ends: a trigger sets it. Only open calls refer to departments by a foreign key. */
  @Column({ type: 'uuid', nullable: true, insert: false, update: false })
  existing_department_id: string | null;

  @Column('text')
  department_name: string;

  @Column('uuid', { nullable: true })
  access_link_id: string | null;

  @Column('uuid', { nullable: true })
  customer_id: string | null;

  /**
   * True if the customer is known by a personal link, false if found by an e-mail or phone that was only typed; null if the
   * customer is new with this call.
   */
  @Column('boolean', { nullable: true })
  identity_confirmed: boolean | null;

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

  /** Seconds, as estimated when the customer joined. */
  @Column('integer')
  estimated_wait_time: number;

  /** Seconds: the range as it was given when the customer joined; null without one. */
  @Column('integer', { nullable: true })
  estimated_wait_low: number | null;

  @Column('integer', { nullable: true })
  estimated_wait_high: number | null;

  /** The estimates when the customer joined that nobody was given; null if no agent was reachable. */
  @Column('jsonb', { nullable: true })
  join_estimate: JoinEstimate | null;

  /**
   * Seconds: estimated_wait_time if the customer was shown it at the join, null if no agent was reachable, if the department was
   * closed, or if an agent was called at once. A trigger sets it; an offer at once clears it.
   */
  @Column({ type: 'integer', nullable: true, insert: false, update: false })
  told_wait_time: number | null;

  /**
   * When the department opens, for a customer who asked for a callback while it was closed: their wait counts from then on.
   * Null for the others, who wait from the join on.
   */
  @Column('timestamptz', { nullable: true })
  waits_from: Date | null;

  /**
   * Seconds until the call was assigned or left the queue; null while queued. A call that has been started keeps its value:
   * a transfer begins no other wait.
   */
  @Column('integer', { nullable: true })
  wait_time: number | null;

  /**
   * Seconds that the customer had waited, since the join or the last transfer, when they cancelled the call; 0 if the deletion
   * of the department did. Null if it was not cancelled, or by a release before this one.
   */
  @Column('integer', { nullable: true })
  left_after: number | null;

  /** Seconds from start to completion. */
  @Column('integer', { nullable: true })
  duration: number | null;

  /** How many times an agent did not start the call in time. */
  @Column('smallint', { default: 0 })
  unanswered_count: number;

  @Column('integer', { nullable: true })
  rating: number | null;

  @Column('text', { nullable: true })
  rating_comment: string | null;

  @Column('timestamptz', { nullable: true })
  rated_at: Date | null;

  @Column('text', { nullable: true })
  notes: string | null;

  /** Append-only, one entry per line, each with its time and author. */
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

  /** When the call reached a final state. */
  @Column('timestamptz', { nullable: true })
  ended_at: Date | null;

  /** When the customer first connected to this call. */
  @Column('timestamptz', { nullable: true })
  customer_connected_at: Date | null;

  /** When the current agent first connected to this call. */
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

  /** While the call is assigned: its wait_deadline, moved by the time that it has been assigned to earlier agents. */
  @Column('timestamptz', { nullable: true })
  suspended_wait_deadline: Date | null;

  /** While the call is assigned or active: the priority_deadline that it gets when it returns to a queue. */
  @Column('timestamptz', { nullable: true })
  suspended_priority_deadline: Date | null;

  @Column('timestamptz', { nullable: true })
  customer_grace_deadline: Date | null;

  @Column('timestamptz', { nullable: true })
  agent_grace_deadline: Date | null;

  /** The address (clientAddress) that the customer joined from; cleared 15 minutes after the call has ended. */
  @Column('text', { nullable: true })
  client_address: string | null;

  /** Since when a waiting customer has had neither a socket nor a poll; null while a socket is open. */
  @Column('timestamptz', { nullable: true })
  absent_since: Date | null;

  /** When the customer of an assigned call last asked for its state. */
  @Column('timestamptz', { nullable: true })
  seen_at: Date | null;

  /** When the skills that the call requires were changed, which a trigger records; null: not since the join. */
  @Column('timestamptz', { nullable: true })
  skills_changed_at: Date | null;

  /** Since when the call has priority over those without one. */
  @Column('timestamptz', { nullable: true })
  priority_since: Date | null;

  /** When the call will get priority. */
  @Column('timestamptz', { nullable: true })
  priority_deadline: Date | null;

  /** 0 to 9: one point is worth the priority_step of the department. */
  @Column('smallint', { default: 0 })
  priority: number;

  /** By which calls without priority_since are ordered: the time of the join, earlier by the priority. */
  @Column('timestamptz', { nullable: true })
  rank_at: Date | null;

  /** What an agent needs to be offered the call; without duplicates, in the order of the ids. */
  @Column('jsonb', { default: [] })
  required_skills: RequiredSkillDto[];

  /** The agent with whom the customer has an appointment. */
  @Column('uuid', { nullable: true })
  reserved_user_id: string | null;

  /** The department that transferred the call last; its own if an agent handed it over to another one. */
  @Column('uuid', { nullable: true })
  transferred_from_department_id: string | null;

  /** The agent from whom the call was transferred last. */
  @Column('uuid', { nullable: true })
  transferred_from_user_id: string | null;

  /** When the call was transferred last. */
  @Column('timestamptz', { nullable: true })
  transferred_at: Date | null;

  /** The department in whose line the call waits, too, since it has waited long; it stays after the call has ended. */
  @Column('uuid', { nullable: true })
  overflow_department_id: string | null;

  /** When the call overflowed. It stays, because a call overflows at most once. */
  @Column('timestamptz', { nullable: true })
  overflowed_at: Date | null;

  /** Of the callback that the customer requested last; null without one. */
  @Column('text', { nullable: true })
  callback_status: CallbackStatus | null;

  /** Until when the invited customer keeps the place; null unless they are invited. */
  @Column('timestamptz', { nullable: true })
  callback_invited_until: Date | null;

  /** How many times the resume link of the call was opened: the device that opened it last has the call. */
  @Column('integer', { default: 0 })
  customer_device: number;

  /** The session of the page that took the call over from the customer's other pages; null until one does. */
  @Column('text', { nullable: true })
  holder_session: string | null;

  /** How many chat messages were sent: ChatMessages increments it. It stays when the messages are erased. */
  @Column('integer', { default: 0 })
  chat_message_count: number;

  /** The latest report of the customer; null without one. */
  @Column('jsonb', { nullable: true })
  device_report: DeviceReportDto | null;

  @Column('timestamptz', { nullable: true })
  device_reported_at: Date | null;

  /** Whether the agent's browser records the call; null until the agent asks for consent. */
  @Column('text', { nullable: true })
  recording: RecordingStatus | null;

  /** The customer's latest answer, which also another agent relies on; null without one. */
  @Column('boolean', { nullable: true })
  recording_consent: boolean | null;

  /** When the customer answered last. */
  @Column('timestamptz', { nullable: true })
  recording_consent_at: Date | null;

  /** When the customer's personal data was erased. */
  @Column('timestamptz', { nullable: true })
  erased_at: Date | null;

  @Column('timestamptz')
  updated_at: Date;
}
