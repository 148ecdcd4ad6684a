import { createHash, randomUUID } from 'node:crypto';
import { Inject, Injectable } from '@nestjs/common';
import {
  AccessLinkResolver,
  type JoinTerms,
  type ResolvedLink,
} from '../../access-links/access-link-resolver';
import { cancelledLink } from '../../access-links/link-errors';
import {
  HOURS_SQL,
  type HoursRow,
  ensureOpen,
  isOpenAt,
  nextOpening,
} from '../../departments/hours/department-hours.rules';
import { type ContactDetails, IdentifyCustomer } from '../../customers/identify-customer';
import { Clock } from '../../platform/clock/clock';
import { CONFIG, type Config } from '../../platform/config/config';
import { PoolAdmission } from '../../platform/database/connections/pool-admission';
import { Semaphore } from '../../platform/database/connections/semaphore';
import { isLockTimeout } from '../../platform/database/connections/statement-errors';
import { Database } from '../../platform/database/database';
import { settleAll } from '../../platform/database/settle-all';
import type { Transaction } from '../../platform/database/transaction';
import { EventBus } from '../../platform/events/event-bus';
import { invalidField, unprocessable } from '../../platform/http/errors/api-error';
import { clientSignal } from '../../platform/logging/request-context';
import { Call } from '../call.entity';
import { CallQueued } from '../call.events';
import { callbackOf } from '../callbacks/callback-of';
import { RequestCallback } from '../callbacks/request-callback';
import { Absence } from '../machine/absence';
import { CustomerTokens } from './customer-tokens';
import { AddressLimit, type JoiningClient } from './address-limit';
import { IdempotencyKeys } from './idempotency-keys';
import type { JoinDto, QueueEntryDto } from './public-call.dto';
import { callStatusOf } from './call-status';
import { DepartmentQueues } from '../queue/department-queues';
import { withoutEstimate } from '../queue/customer-estimate.rules';
import { joinEstimateOf } from '../queue/learning/join-estimate.rules';
import { Queue, type QueuePosition } from '../queue/queue';
import { hasRoom } from '../queue/queue-limit';
import { rankAt } from '../queue/queue.rules';

/** What a department of an instance can serve in the time for which a customer waits. Further ones are refused at once. */
const MAX_JOINS = 1000;

/** Who a customer says that they are. */
interface Claim {
  name: string;
  email: string | null;
  phone: string | null;
}

/** A row that only this join needs is locked, for example that of its customer during a merge. */
class HeldElsewhereError extends Error {}

interface DepartmentRow extends HoursRow {
  name: string;
  callback_enabled: boolean;
  max_queue_size: number;
  max_wait_time: number;
  priority_step: number;
}

/** Adds customers to the queue of their link's department. */
@Injectable()
export class JoinQueue {
  /**
   * The joins of a department run one after another, in the order in which they came. Those that wait hold no connection, so that
   * a burst in one department does not keep out the customers of others.
   */
  private readonly turns = new Semaphore({
    places: Infinity,
    perOwner: 1,
    maxWaiting: MAX_JOINS,
    busyMessage: 'Too many customers are joining.',
  });

  constructor(
    private readonly database: Database,
    private readonly links: AccessLinkResolver,
    private readonly customers: IdentifyCustomer,
    private readonly keys: IdempotencyKeys,
    private readonly addressLimit: AddressLimit,
    private readonly absence: Absence,
    private readonly queue: Queue,
    private readonly queues: DepartmentQueues,
    private readonly admission: PoolAdmission,
    private readonly callbacks: RequestCallback,
    private readonly tokens: CustomerTokens,
    private readonly events: EventBus,
    private readonly clock: Clock,
    @Inject(CONFIG) private readonly config: Config,
  ) {}

  /**
   * Joins the queue of the link's department. A repeated idempotency key within 10 minutes returns the first entry.
   * Waits for the turn of the department's joins without a connection.
   * @throws 404 with the codes of link-errors.ts, 422 department_closed, queue_full, too_many_waiting or callback_disabled;
   *   503 if the turn does not come in time
   */
  async join(
    token: string,
    input: JoinDto,
    client: JoiningClient,
    idempotencyKey: string | undefined,
  ): Promise<QueueEntryDto> {
    // The link may be invalid by now: a repeated request is answered even if the first one used the link up.
    const link = await this.database.system((tx) => this.links.resolveAny(tx, token));
    for (;;) {
      const endTurn = await this.turns.acquire({
        owner: link.department_id,
        waitMs: this.admission.remainingPublicMs(),
        signal: clientSignal(),
      });
      try {
        return await this.joinThrough(link, input, client, idempotencyKey);
      } catch (error) {
        if (!(error instanceof HeldElsewhereError)) throw error;
        // The others of the department join meanwhile.
        endTurn();
        if (!(await this.admission.waitForLock())) throw error.cause;
      } finally {
        endTurn();
      }
    }
  }

  /** @throws HeldElsewhereError, instead of being tried again, while it needs another locked row than the department's */
  private joinThrough(
    link: ResolvedLink,
    input: JoinDto,
    client: JoiningClient,
    idempotencyKey: string | undefined,
  ): Promise<QueueEntryDto> {
    return this.database.tenant(link.tenant_id, async (tx) => {
      // This lock serialises the joins of a department: the queue limit, the key and the position depend on it.
      const locking = this.lockDepartment(tx, link.department_id);
      try {
        if (!idempotencyKey) return await this.createCall(tx, link, locking, input, client);
        const request = { key: idempotencyKey, hash: hashOf(input) };
        const [, known] = await settleAll([locking, this.keys.find(tx, link.link_id, request)]);
        if (known) return await this.entry(tx, link.tenant_id, known);
        const entry = await this.createCall(tx, link, locking, input, client);
        this.keys.store(tx, link, request, entry.call_id);
        return entry;
      } catch (error) {
        const isDepartmentOurs = await locking.then(Boolean, () => false);
        const failure = tx.failure ?? error;
        if (!isDepartmentOurs || !isLockTimeout(failure)) throw error;
        throw new HeldElsewhereError('A row of the join is locked.', { cause: failure });
      }
    });
  }

  /** @returns the call's queue entry with a new token for the device */
  async entry(tx: Transaction, tenantId: string, callId: string, device = 0): Promise<QueueEntryDto> {
    const position = await this.queue.positionIn(tx, callId);
    if (!position) throw new Error(`No call ${callId}`);
    return this.entryAt(tenantId, position, device);
  }

  private entryAt(tenantId: string, position: QueuePosition, device = 0): QueueEntryDto {
    return {
      ...callStatusOf(position),
      websocket_token: this.tokens.sign(tenantId, position.call_id, device),
      websocket_url: this.config.websocketUrl,
    };
  }

  /** Does not wait while another transaction has the lock: the join is tried again, without a connection meanwhile. */
  private async lockDepartment(tx: Transaction, id: string): Promise<DepartmentRow> {
    const department = await tx.one<DepartmentRow>(
      `SELECT d.name, d.callback_enabled, d.max_queue_size, d.max_wait_time, d.priority_step, ${HOURS_SQL}
       FROM departments d WHERE d.id = $1 FOR NO KEY UPDATE NOWAIT`,
      [id],
    );
    // The department was deleted while this transaction waited for its lock, so its links are no longer valid.
    if (!department) throw cancelledLink();
    return department;
  }

  /**
   * Who joins without a name: the customer of the appointment. The page shows the contact data of a call, so the call gets
   * none that are known of the customer: the link can be in other hands.
   * @throws 422 at the name if the customer is not known
   */
  private async claimOfAppointment(
    tx: Transaction,
    { tenant_id, is_appointment, customer_id }: ResolvedLink,
    locking: Promise<DepartmentRow>,
  ): Promise<Claim> {
    // Nothing runs any more when the transaction ends.
    await locking;
    const known =
      is_appointment && customer_id !== null
        ? await tx.one<Pick<Claim, 'name'>>('SELECT name FROM customers WHERE tenant_id = $1 AND id = $2', [
            tenant_id,
            customer_id,
          ])
        : undefined;
    if (!known) throw invalidField('name', 'is required');
    return { ...known, email: null, phone: null };
  }

  /** @param known the customer who was found by the contact data */
  private async customerOf(
    tx: Transaction,
    link: ResolvedLink,
    terms: JoinTerms,
    known: string | undefined,
    contact: ContactDetails,
  ): Promise<Pick<Call, 'customer_id' | 'identity_confirmed'>> {
    if (terms.customer_id) return { customer_id: terms.customer_id, identity_confirmed: true };
    // The link's customer was deleted since the link was read.
    const isLate = link.customer_id !== null;
    const found = isLate ? await this.customers.find(tx, link.tenant_id, contact) : known;
    if (found) return { customer_id: found, identity_confirmed: false };
    const created = await this.customers.create(tx, link.tenant_id, contact);
    return { customer_id: created, identity_confirmed: null };
  }

  private async createCall(
    tx: Transaction,
    link: ResolvedLink,
    locking: Promise<DepartmentRow>,
    input: JoinDto,
    client: JoiningClient,
  ): Promise<QueueEntryDto> {
    const claim = input.name
      ? { name: input.name, email: input.email ?? null, phone: input.phone ?? null }
      : await this.claimOfAppointment(tx, link, locking);
    const contact = { ...claim, country: link.country };
    this.events.expect(tx, link.tenant_id, ['call.queued', 'customer.created']);
    // Sent together, and locked in the order of the list. Lock order: a customer before their links, then the skills.
    const [department, , terms, skills, queue, ensureAddressLimit, known] = await settleAll([
      locking,
      link.customer_id && this.customers.lockIfExists(tx, link.tenant_id, link.customer_id),
      this.links.use(tx, link.link_id),
      link.requires_skills ? this.links.lockSkills(tx, link.link_id) : [],
      this.queues.readLocked(tx, link),
      this.addressLimit.check(tx, link, client),
      link.customer_id ? undefined : this.customers.find(tx, link.tenant_id, contact),
    ]);
    const now = this.clock.now();
    // A customer with an appointment has a reserved place, so neither the hours nor the limit apply.
    if (!terms.priority_from) {
      const isForOpening = input.callback ? department.callback_enabled : false;
      ensureOpen(department, now, isForOpening);
      const { tenant_id, department_id: id } = link;
      if (!(await hasRoom(tx, { ...department, tenant_id, id }, queue.queue_size, now))) throw queueFull();
    }
    ensureAddressLimit();
    const customer = await this.customerOf(tx, link, terms, known, contact);
    const rank = {
      tenant_id: link.tenant_id,
      department_id: link.department_id,
      rank_at: rankAt(now, terms.priority, department.priority_step),
      ...priorityOf(terms, now),
    };
    const wait_deadline = waitDeadline(terms, now, department.max_wait_time);
    const joining = { ...rank, wait_deadline, inserted_at: now };
    // Only customers who ask for a callback join while it is closed; they learn when it opens.
    const isClosed = !terms.priority_from && !isOpenAt(department, now);
    const place = await this.queues.positionOf(tx, joining, queue);
    const { estimate, ...position } = isClosed ? { ...withoutEstimate(place), estimate: null } : place;
    const call = Object.assign(new Call(), {
      id: randomUUID(),
      ...rank,
      status: 'queued',
      version: 1,
      department_name: department.name,
      access_link_id: link.link_id,
      ...customer,
      customer_name: claim.name,
      customer_email: claim.email,
      customer_phone: claim.phone,
      reason: input.reason ?? null,
      user_id: null,
      estimated_wait_time: position.estimated_wait_time,
      estimated_wait_low: position.estimated_wait_range?.low ?? null,
      estimated_wait_high: position.estimated_wait_range?.high ?? null,
      join_estimate: estimate && joinEstimateOf(estimate),
      client_address: client.address,
      ...this.absence.startingAt(now),
      wait_deadline,
      priority: terms.priority,
      required_skills: skills,
      waits_from: isClosed ? nextOpening(department, now) : null,
      reserved_user_id: terms.reserved_user_id,
      inserted_at: now,
      updated_at: now,
    } satisfies Partial<Call>);
    await tx.repository(Call).insert(call);
    await this.events.record(tx, new CallQueued(call, now));
    const joined = input.callback ? await this.callbacks.requestFor(tx, call, input.callback) : call;
    const { id: call_id, status, version } = joined;
    const callback = input.callback ? callbackOf(joined) : null;
    const unused = { ringing: false, chat_message_count: 0 };
    return this.entryAt(link.tenant_id, { call_id, status, version, ...position, callback, ...unused });
  }
}

const queueFull = () => unprocessable('queue_full', 'The queue is full. Please try again in a few minutes.');

/** For an appointment, the maximum wait counts from its start. */
function waitDeadline({ priority_from }: JoinTerms, now: Date, maxWaitSeconds: number): Date {
  return new Date(Math.max(now.getTime(), Number(priority_from)) + maxWaitSeconds * 1000);
}

/** Before the appointment's start the customer waits without priority. */
function priorityOf({ priority_from }: JoinTerms, now: Date) {
  const isTime = priority_from !== null && priority_from <= now;
  return { priority_since: isTime ? priority_from : null, priority_deadline: isTime ? null : priority_from };
}

/** Distinguishes a repeated request from another one with the same key. */
function hashOf(input: JoinDto): string {
  const { name, email, phone, reason, callback } = input;
  const fields: unknown[] = [name ?? null, email ?? null, phone ?? null, reason ?? null];
  if (callback) fields.push([callback.channel, callback.email ?? null]);
  return createHash('sha256').update(JSON.stringify(fields)).digest('hex');
}
