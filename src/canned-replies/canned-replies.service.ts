import { Injectable } from '@nestjs/common';
import { Clock } from '../platform/clock/clock';
import { Database } from '../platform/database/database';
import type { Transaction } from '../platform/database/transaction';
import { changedFields } from '../platform/events/record-updated';
import { EventBus } from '../platform/events/event-bus';
import { notFound, unprocessable } from '../platform/http/errors/api-error';
import { TenantsService } from '../tenancy/tenants.service';
import type { CannedReplyDto, CreateCannedReplyDto, UpdateCannedReplyDto } from './canned-reply.dto';
import { CannedReply } from './canned-reply.entity';
import { CannedReplyCreated, CannedReplyDeleted, CannedReplyUpdated } from './canned-reply.events';
import { CannedReplyList } from './canned-reply-list';

/** Canned replies of one tenant. The console loads all of them, so that it finds them while an agent types. */
const MAX_CANNED_REPLIES = 500;

/** Creates, updates and deletes canned replies, under the tenant's lock. */
@Injectable()
export class CannedRepliesService {
  constructor(
    private readonly database: Database,
    private readonly tenants: TenantsService,
    private readonly list: CannedReplyList,
    private readonly events: EventBus,
    private readonly clock: Clock,
  ) {}

  /** @throws 422 for a shortcut in use, and too_many_canned_replies when the tenant has MAX_CANNED_REPLIES already */
  async create(
    tenantId: string,
    { title, text, shortcut = null }: CreateCannedReplyDto,
  ): Promise<CannedReplyDto> {
    const id = await this.database.tenant(tenantId, async (tx) => {
      await this.tenants.lock(tx, tenantId);
      await this.ensureWithinLimit(tx, tenantId);
      const replies = tx.repository(CannedReply);
      const reply = await replies.save(replies.create({ tenant_id: tenantId, title, text, shortcut }));
      await this.events.record(
        tx,
        new CannedReplyCreated(tenantId, reply.id, this.clock.now().toISOString()),
      );
      return reply.id;
    });
    return this.list.get(tenantId, id);
  }

  /** @throws 404; 422 for a shortcut in use */
  async update(tenantId: string, id: string, input: UpdateCannedReplyDto): Promise<CannedReplyDto> {
    await this.database.tenant(tenantId, async (tx) => {
      // Two updates that exchange the shortcuts of two replies would wait for each other.
      const reply = await this.lockReply(tx, tenantId, id);
      const changes = input as Partial<CannedReply>;
      const changed = changedFields(reply, changes);
      if (changed.length === 0) return;
      const now = this.clock.now();
      await tx.repository(CannedReply).update({ id, tenant_id: tenantId }, { ...changes, updated_at: now });
      await this.events.record(tx, new CannedReplyUpdated(tenantId, id, now.toISOString(), changed));
    });
    return this.list.get(tenantId, id);
  }

  /** @throws 404 */
  async delete(tenantId: string, id: string): Promise<void> {
    await this.database.tenant(tenantId, async (tx) => {
      await this.lockReply(tx, tenantId, id);
      await tx.repository(CannedReply).delete({ id, tenant_id: tenantId });
      await this.events.record(tx, new CannedReplyDeleted(tenantId, id, this.clock.now().toISOString()));
    });
  }

  private async lockReply(tx: Transaction, tenantId: string, id: string): Promise<CannedReply> {
    await this.tenants.lock(tx, tenantId);
    const reply = await tx.repository(CannedReply).findOneBy({ id, tenant_id: tenantId });
    if (!reply) throw notFound('Canned reply');
    return reply;
  }

  private async ensureWithinLimit(tx: Transaction, tenantId: string): Promise<void> {
    const count = await tx.repository(CannedReply).countBy({ tenant_id: tenantId });
    if (count < MAX_CANNED_REPLIES) return;
    throw unprocessable(
      'too_many_canned_replies',
      `A company can have ${MAX_CANNED_REPLIES} canned replies. Delete one first.`,
    );
  }
}
