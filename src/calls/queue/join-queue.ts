import { createHash } from 'node:crypto';
import { Inject, Injectable } from '@nestjs/common';
import {
  type ResolvedLink,
  invalidLink,
  AccessLinkResolver,
  type LinkTerms,
} from '../../access-links/access-link-resolver';
import { IdentifyCustomer } from '../../customers/identify-customer';
import { Clock } from '../../platform/clock/clock';
import { CONFIG, type Config } from '../../platform/config/config';
import { Database } from '../../platform/database/database';
import type { Transaction } from '../../platform/database/transaction';
import { EventBus } from '../../platform/events/event-bus';
import { unprocessable } from '../../platform/http/errors/api-error';
import { Call } from '../call.entity';
import { CallQueued } from '../call.events';
import { CustomerTokens } from '../customer/customer-tokens';
import { IdempotencyKeys } from './idempotency-keys';
import type { JoinDto, QueueEntryDto } from '../customer/public-call.dto';
import { callStatusOf } from './call-status';
import { Queue } from './queue';
import { estimateWait } from './queue.rules';

interface DepartmentRow {
  name: string;
  max_queue_size: number;
  max_wait_time: number;
}

/** The customer's way in. */
@Injectable()
export class JoinQueue {
  constructor(
    private readonly database: Database,
    private readonly entrance: AccessLinkResolver,
    private readonly customers: IdentifyCustomer,
    private readonly keys: IdempotencyKeys,
    private readonly queue: Queue,
    private readonly tokens: CustomerTokens,
    private readonly events: EventBus,
    private readonly clock: Clock,
    @Inject(CONFIG) private readonly config: Config,
  ) {}

  /**
   * Enters the queue behind the link. The same idempotency key within 10 minutes gives the first entry again.
   * @throws 404 invalid_link, 422 queue_full
   */
  async join(token: string, input: JoinDto, idempotencyKey: string | undefined): Promise<QueueEntryDto> {
    return this.database.system(async (tx) => {
      // Good or not: the repeat of a request that used the link up is still good.
      const entrance = await this.entrance.findAny(tx, token);
      await tx.narrow(entrance.tenant_id);
      // Joins of one department take turns here: counting, the key and the place in line are decided behind it.
      const department = await this.lockDepartment(tx, entrance.department_id);
      const request = idempotencyKey ? { key: idempotencyKey, hash: hashOf(input) } : undefined;
      const known = request && (await this.keys.find(tx, entrance.link_id, request));
      const callId = known ?? (await this.enter(tx, entrance, department, input));
      if (request && !known) await this.keys.store(tx, entrance, request, callId);
      return this.entry(tx, entrance.tenant_id, callId);
    });
  }

  /** The queue entry of a call, with a fresh token. */
  async entry(tx: Transaction, tenantId: string, callId: string): Promise<QueueEntryDto> {
    const position = await this.queue.positionIn(tx, callId);
    if (!position) throw new Error(`No call ${callId}`);
    return {
      ...callStatusOf(position),
      websocket_token: this.tokens.sign(tenantId, callId),
      websocket_url: this.config.websocketUrl,
    };
  }

  private async lockDepartment(tx: Transaction, id: string): Promise<DepartmentRow> {
    const department = await tx.one<DepartmentRow>(
      'SELECT name, max_queue_size, max_wait_time FROM departments WHERE id = $1 FOR NO KEY UPDATE',
      [id],
    );
    // Deleted while we waited for its lock: its links are no longer good.
    if (!department) throw invalidLink();
    return department;
  }

  private async enter(
    tx: Transaction,
    entrance: ResolvedLink,
    department: DepartmentRow,
    input: JoinDto,
  ): Promise<string> {
    const terms = await this.entrance.use(tx, entrance.link_id);
    const line = await this.queue.departmentQueue(tx, entrance.department_id);
    // Whoever has an appointment has had a place all along.
    if (line.queue_size >= department.max_queue_size && !terms.priority_from) {
      throw unprocessable('queue_full', 'The queue is full. Please try again in a few minutes.');
    }
    const claim = { name: input.name, email: input.email ?? null, phone: input.phone ?? null };
    const now = this.clock.now();
    const calls = tx.repository(Call);
    const call = await calls.save(
      calls.create({
        tenant_id: entrance.tenant_id,
        status: 'queued',
        department_id: entrance.department_id,
        department_name: department.name,
        access_link_id: entrance.link_id,
        customer_id: terms.customer_id ?? (await this.customers.identify(tx, entrance.tenant_id, claim)),
        customer_name: claim.name,
        customer_email: claim.email,
        customer_phone: claim.phone,
        reason: input.reason ?? null,
        estimated_wait_time: estimateWait(line.queue_size + 1, line),
        wait_deadline: waitDeadline(terms, now, department.max_wait_time),
        ...priorityOf(terms, now),
        reserved_user_id: terms.reserved_user_id,
        inserted_at: now,
        updated_at: now,
      }),
    );
    if (call.priority_since) await this.keepEstimate(tx, call.id);
    await this.events.record(tx, new CallQueued(call, now));
    return call.id;
  }

  /** What is promised to one who goes before others is not what the end of the line would be told. */
  private async keepEstimate(tx: Transaction, callId: string): Promise<void> {
    const position = await this.queue.positionIn(tx, callId);
    if (!position) return;
    const { estimated_wait_time } = position;
    await tx.repository(Call).update({ id: callId }, { estimated_wait_time });
  }
}

/** Their time counts from the appointment on. */
function waitDeadline({ priority_from }: LinkTerms, now: Date, maxWaitSeconds: number): Date {
  return new Date(Math.max(now.getTime(), Number(priority_from)) + maxWaitSeconds * 1000);
}

/** Who comes before their time waits like everybody until then. */
function priorityOf({ priority_from }: LinkTerms, now: Date) {
  const isTime = priority_from !== null && priority_from <= now;
  return { priority_since: isTime ? priority_from : null, priority_deadline: isTime ? null : priority_from };
}

/** Tells a repeated request from another one that happens to use the same key. */
function hashOf(input: JoinDto): string {
  const { name, email, phone, reason } = input;
  return createHash('sha256')
    .update(JSON.stringify([name, email ?? null, phone ?? null, reason ?? null]))
    .digest('hex');
}
