import { isDeepStrictEqual } from 'node:util';
import { Inject, Injectable } from '@nestjs/common';
import { CALLBACK_COLUMN, CALLBACK_EMAIL_COLUMN } from '../../calls/call.columns';
import type { CallListItemDto } from '../../calls/call-list.dto';
import { type Conversation, CONVERSATION_COLUMNS } from '../../calls/chat/joined-calls';
import type { CallbackDto } from '../../calls/callbacks/callback.dto';
import { isInProgress } from '../../calls/customer/customer-tokens';
import { CallList } from '../../calls/staff/call-list';
import type { CallStatus, EndReason } from '../../calls/machine/call.machine';
import { type CustomerEstimate, NO_WAIT } from '../../calls/queue/customer-estimate.rules';
import { Queue, type QueuePosition } from '../../calls/queue/queue';
import { CONFIG, type Config } from '../../platform/config/config';
import { Batcher } from '../../calls/batcher';
import { Database } from '../../platform/database/database';
import { notFound } from '../../platform/http/errors/api-error';
import { currentConnectionKind } from '../../platform/logging/request-context';
import type { Principal } from '../../platform/access/principal';
import { absolutePictureUrl } from '../../tenancy/pictures/picture-url';
import type { Presence } from '../../presence/presence.rules';
import type { AgentDto } from '../../routing/agents/agent.dto';
import { AgentList } from '../../routing/agents/agent-list';
import type { OfferDto } from '../../routing/offers/offer.dto';
import { OwnOffers } from '../../routing/offers/own-offers';
import { QueueSummaries, type QueueSummary, watchedDepartments } from '../queue-summaries';
import type { LiveSocket } from '../socket.types';

export interface CustomerSnapshot extends Conversation, CustomerEstimate {
  call_id: string;
  status: CallStatus;
  /** Of the department in whose line the call is now, or was at the end. */
  department_name: string;
  callback_enabled: boolean;
  position: number;
  /** Whether the waiting call is being offered to an agent. */
  ringing: boolean;
  agent: { name: string; avatar_url: string | null } | null;
  started_at: string | null;
  disconnected_at: string | null;
  grace_deadline: string | null;
  callback: CallbackDto | null;
  /** Where the invitation goes, or would go if the customer requested a callback without another address. */
  callback_email: string | null;
  /** Null until the call ends. */
  end_reason: EndReason | null;
  /** The session of the page that took the call over from the customer's other pages; null until one does. */
  holder_session: string | null;
  /** All messages of the chat, also those before the latest ones. */
  chat_message_count: number;
  version: number;
}

type CustomerRow = Omit<CustomerSnapshot, 'agent' | 'position' | 'ringing' | keyof CustomerEstimate> & {
  user_name: string | null;
  avatar_url: string | null;
};

interface OwnRow {
  presence: Presence;
  /** Whether the user has ever chosen to be available or paused. */
  has_chosen_state: boolean;
  pause_reasons: string[];
}

export interface StaffSnapshot extends OwnRow {
  /** All agents for supervisors, otherwise the user and their colleagues. */
  agents: AgentDto[];
  /** Own pending offers. */
  offers: { offer: OfferDto; call: CallListItemDto | undefined }[];
  active_calls: CallListItemDto[];
  queues: QueueSummary[];
}

/** The full state that a client starts from, and requests again when it may have missed events. */
@Injectable()
export class Snapshots {
  private readonly customerRows = new Batcher<string, CustomerRow | undefined>((tenantId, ids) =>
    this.readCustomerRows(tenantId, ids),
  );

  constructor(
    private readonly database: Database,
    private readonly queue: Queue,
    private readonly calls: CallList,
    private readonly offers: OwnOffers,
    private readonly summaries: QueueSummaries,
    private readonly agents: AgentList,
    @Inject(CONFIG) private readonly config: Config,
  ) {}

  async of({ data }: LiveSocket): Promise<CustomerSnapshot | StaffSnapshot> {
    if (data.kind === 'staff') return this.ofStaff(data.user);
    const { customer } = data;
    const snapshot = await this.ofCustomer(customer.tenant_id, customer.call_id);
    // The socket may have missed the assignment while it connected. Only an event ends this: a snapshot may be older.
    customer.is_in_progress ||= isInProgress(snapshot.status);
    return snapshot;
  }

  private async ofCustomer(tenantId: string, callId: string): Promise<CustomerSnapshot> {
    const readPlace = () => this.queue.positionOf(tenantId, callId);
    const readRow = () => this.customerRows.run(tenantId, callId);
    // Public requests share few connections, so that they take one at a time.
    const isPublic = currentConnectionKind() === 'public';
    const [place, first] = isPublic
      ? [await readPlace(), await readRow()]
      : await Promise.all([readPlace(), readRow()]);
    // The call has changed between the two reads: the rest of the snapshot must not be older than its position.
    const row = first && place && place.version > first.version ? await readRow() : first;
    if (!row || !place) throw notFound('Call');
    const { user_name, avatar_url, ...call } = row;
    const { position, estimated_wait_time, estimated_wait_range, has_estimate, ringing } =
      call.status === 'queued' ? place : { position: 0, ...NO_WAIT, ringing: false };
    return {
      ...call,
      position,
      estimated_wait_time,
      estimated_wait_range,
      has_estimate,
      ringing,
      agent:
        user_name === null
          ? null
          : { name: user_name, avatar_url: absolutePictureUrl(avatar_url, this.config.publicUrl) },
    };
  }

  private async readCustomerRows(tenantId: string, callIds: string[]): Promise<(CustomerRow | undefined)[]> {
    const [rows] = await this.database.readTenant<[CustomerRow]>(tenantId, [
      {
        text: `SELECT id AS call_id, status, end_reason, department_name, user_name, started_at, disconnected_at,
                 (SELECT u.avatar_url FROM users u WHERE u.tenant_id = c.tenant_id AND u.id = c.user_id) AS avatar_url,
                 holder_session, version,
                 LEAST(customer_grace_deadline, agent_grace_deadline) AS grace_deadline, ${CALLBACK_COLUMN} AS callback,
                 ${CALLBACK_EMAIL_COLUMN} AS callback_email,
                 COALESCE((SELECT d.callback_enabled FROM departments d
                   WHERE d.tenant_id = c.tenant_id AND d.id = c.department_id), false) AS callback_enabled,
                 chat_message_count, ${CONVERSATION_COLUMNS}
               FROM calls c WHERE tenant_id = $1 AND id = ANY ($2)`,
        values: [tenantId, callIds],
      },
    ]);
    const rowsById = new Map(rows.map((row) => [row.call_id, row]));
    return callIds.map((id) => rowsById.get(id));
  }

  /** As the message `offer`. An agent has at most one pending offer. */
  private withCalls(tenantId: string, offers: OfferDto[]): Promise<StaffSnapshot['offers']> {
    return Promise.all(
      offers.map(async (offer) => ({ offer, call: await this.calls.item(tenantId, offer.call_id) })),
    );
  }

  private async ofStaff(user: Principal): Promise<StaffSnapshot> {
    const { tenant_id, user_id } = user;
    const [own, agents, offers, departments] = await this.database.readTenant<
      [OwnRow, AgentDto, OfferDto, { id: string }]
    >(tenant_id, [
      {
        text: `SELECT p.presence, a.chosen_at IS NOT NULL AS has_chosen_state, t.pause_reasons FROM tenants t
                 LEFT JOIN user_presence p ON p.tenant_id = t.id AND p.user_id = $2
                 LEFT JOIN presences a ON a.user_id = p.user_id WHERE t.id = $1`,
        values: [tenant_id, user_id],
      },
      this.agents.visibleTo(user),
      this.offers.pendingStatement(user),
      watchedDepartments(user),
    ]);
    const ids = departments.map((department) => department.id);
    return {
      presence: own[0]?.presence ?? 'offline',
      has_chosen_state: own[0]?.has_chosen_state ?? false,
      pause_reasons: own[0]?.pause_reasons ?? [],
      agents,
      offers: await this.withCalls(tenant_id, offers),
      active_calls: await this.calls.openCallsOf(tenant_id, user_id),
      queues: await this.summaries.ofDepartments(tenant_id, ids),
    };
  }
}

/** Whether two snapshots of one socket show the same state. Waiting times grow by themselves and are no change. */
export function isSameState(
  one: CustomerSnapshot | StaffSnapshot,
  other: CustomerSnapshot | StaffSnapshot,
): boolean {
  return isDeepStrictEqual(withoutWaitingTimes(one), withoutWaitingTimes(other));
}

/**
 * Whether the snapshot of a customer still shows the state of their call, as far as the position tells: every other field
 * changes only with the version or the number of messages.
 */
export function isStateOf(snapshot: CustomerSnapshot | StaffSnapshot, current: QueuePosition): boolean {
  return (
    'version' in snapshot &&
    snapshot.version === current.version &&
    snapshot.chat_message_count === current.chat_message_count &&
    snapshot.status === current.status &&
    snapshot.position === current.position &&
    snapshot.estimated_wait_time === current.estimated_wait_time &&
    snapshot.has_estimate === current.has_estimate &&
    snapshot.ringing === current.ringing &&
    isDeepStrictEqual(snapshot.estimated_wait_range, current.estimated_wait_range)
  );
}

function withoutWaitingTimes(snapshot: CustomerSnapshot | StaffSnapshot): object {
  if (!('queues' in snapshot)) return snapshot;
  return { ...snapshot, queues: snapshot.queues.map(({ longest_wait: _longest_wait, ...queue }) => queue) };
}
