import { Injectable } from '@nestjs/common';
import { Clock } from '../platform/clock/clock';
import { Database } from '../platform/database/database';
import type { Transaction } from '../platform/database/transaction';
import { changedFields } from '../platform/events/record-updated';
import { EventBus } from '../platform/events/event-bus';
import { notFound } from '../platform/http/errors/api-error';
import type { CreateTagDto, TagDto, UpdateTagDto } from './tag.dto';
import { Tag } from './tag.entity';
import { TagList } from './tag-list';
import { TagHierarchy } from './tag-hierarchy';
import { TagCreated, TagDeleted, TagUpdated } from './tag.events';

/** Creates, updates and deletes tags. */
@Injectable()
export class TagsService {
  constructor(
    private readonly database: Database,
    private readonly hierarchy: TagHierarchy,
    private readonly list: TagList,
    private readonly events: EventBus,
    private readonly clock: Clock,
  ) {}

  /** @throws 422 for an unknown parent or the name of a sibling */
  async create(tenantId: string, input: CreateTagDto): Promise<TagDto> {
    const id = await this.database.tenant(tenantId, async (tx) => {
      await this.hierarchy.lock(tx, tenantId);
      if (input.parent_id) await this.hierarchy.ensureValidParent(tx, tenantId, input.parent_id);
      const tags = tx.repository(Tag);
      const tag = await tags.save(
        tags.create({
          tenant_id: tenantId,
          name: input.name,
          color: input.color ?? undefined,
          parent_id: input.parent_id ?? null,
          description: input.description ?? null,
        }),
      );
      await this.events.record(tx, new TagCreated(tenantId, tag.id, this.clock.now().toISOString()));
      return tag.id;
    });
    return this.list.get(tenantId, id);
  }

  /** @throws 404; 422 for an unknown parent, a cycle or the name of a sibling */
  async update(tenantId: string, id: string, input: UpdateTagDto): Promise<TagDto> {
    await this.database.tenant(tenantId, async (tx) => {
      const tag = await this.lockTag(tx, tenantId, id);
      const changes = input as Partial<Tag>;
      const changed = changedFields(tag, changes);
      if (changed.length === 0) return;
      if (changes.parent_id) await this.hierarchy.ensureValidParent(tx, tenantId, changes.parent_id, id);
      const now = this.clock.now();
      await tx.repository(Tag).update({ id, tenant_id: tenantId }, { ...changes, updated_at: now });
      await this.events.record(tx, new TagUpdated(tenantId, id, now.toISOString(), changed));
    });
    return this.list.get(tenantId, id);
  }

  /**
   * Removes the tag from all calls and moves its children up to its parent.
   * @throws 404; 422 when a child would become a sibling of a tag with its name
   */
  async delete(tenantId: string, id: string): Promise<void> {
    await this.database.tenant(tenantId, async (tx) => {
      await this.hierarchy.ensureChildNamesFree(tx, await this.lockTag(tx, tenantId, id));
      const now = this.clock.now();
      // One statement: a child with its parent's name can only move up once the parent is deleted.
      const moved = await tx.query<{ id: string }>(
        `WITH deleted AS (DELETE FROM tags WHERE tenant_id = $1 AND id = $2 RETURNING id, parent_id)
         UPDATE tags t SET parent_id = deleted.parent_id, updated_at = $3
         FROM deleted WHERE t.tenant_id = $1 AND t.parent_id = deleted.id RETURNING t.id`,
        [tenantId, id, now],
      );
      const at = now.toISOString();
      await this.events.record(tx, new TagDeleted(tenantId, id, at));
      for (const child of moved) {
        await this.events.record(tx, new TagUpdated(tenantId, child.id, at, ['parent_id']));
      }
    });
  }

  private async lockTag(tx: Transaction, tenantId: string, id: string): Promise<Tag> {
    await this.hierarchy.lock(tx, tenantId);
    const tag = await tx.repository(Tag).findOneBy({ id, tenant_id: tenantId });
    if (!tag) throw notFound('Tag');
    return tag;
  }
}
