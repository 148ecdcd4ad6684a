import { Injectable } from '@nestjs/common';
import { Clock } from '../platform/clock/clock';
import { Database } from '../platform/database/database';
import type { Transaction } from '../platform/database/transaction';
import { changedFields } from '../platform/events/changed-fields';
import { EventBus } from '../platform/events/event-bus';
import { notFound } from '../platform/http/errors/api-error';
import type { CreateTagDto, TagDto, UpdateTagDto } from './tag.dto';
import { Tag } from './tag.entity';
import { TagList } from './tag-list';
import { TagHierarchy } from './tag-hierarchy';
import { TagCreated, TagDeleted, TagUpdated } from './tag.events';

@Injectable()
export class TagsService {
  constructor(
    private readonly database: Database,
    private readonly places: TagHierarchy,
    private readonly list: TagList,
    private readonly events: EventBus,
    private readonly clock: Clock,
  ) {}

  /** @throws 422 for an unknown parent, or a name that a sibling has */
  async create(tenantId: string, input: CreateTagDto): Promise<TagDto> {
    const id = await this.database.tenant(tenantId, async (tx) => {
      await this.places.lock(tx, tenantId);
      if (input.parent_id) await this.places.ensureValidParent(tx, tenantId, input.parent_id);
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

  /** @throws 404; 422 for an unknown parent, a circle, or a name that a sibling has */
  async update(tenantId: string, id: string, input: UpdateTagDto): Promise<TagDto> {
    await this.database.tenant(tenantId, async (tx) => {
      const tag = await this.lockTag(tx, tenantId, id);
      const changes = input as Partial<Tag>;
      const changed = changedFields(tag, changes);
      if (changed.length === 0) return;
      if (changes.parent_id) await this.places.ensureValidParent(tx, tenantId, changes.parent_id, id);
      const now = this.clock.now();
      await tx.repository(Tag).update({ id, tenant_id: tenantId }, { ...changes, updated_at: now });
      await this.events.record(tx, new TagUpdated(tenantId, id, now.toISOString(), changed));
    });
    return this.list.get(tenantId, id);
  }

  /**
   * Takes the tag off all calls and puts the tags below it in its place.
   * @throws 404; 422 when one of those would come to stand beside another of its name
   */
  async delete(tenantId: string, id: string): Promise<void> {
    await this.database.tenant(tenantId, async (tx) => {
      await this.places.ensureChildNamesFree(tx, await this.lockTag(tx, tenantId, id));
      const now = this.clock.now();
      // One statement: a child may have the name of its parent, which has to be gone before it moves up.
      const moved = await tx.query<{ id: string }>(
        `WITH gone AS (DELETE FROM tags WHERE tenant_id = $1 AND id = $2 RETURNING id, parent_id)
         UPDATE tags t SET parent_id = gone.parent_id, updated_at = $3
         FROM gone WHERE t.tenant_id = $1 AND t.parent_id = gone.id RETURNING t.id`,
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
    await this.places.lock(tx, tenantId);
    const tag = await tx.repository(Tag).findOneBy({ id, tenant_id: tenantId });
    if (!tag) throw notFound('Tag');
    return tag;
  }
}
