import { Injectable } from '@nestjs/common';
import type { Transaction } from '../platform/database/transaction';
import { unprocessable } from '../platform/http/errors/api-error';
import { TenantsService } from '../tenancy/tenants.service';
import type { Tag } from './tag.entity';
import { validateTagPosition } from './tag.rules';

const ANCESTORS_SQL = `WITH RECURSIVE above AS (
    SELECT id, parent_id FROM tags WHERE tenant_id = $1 AND id = $2
    UNION SELECT t.id, t.parent_id FROM above a JOIN tags t ON t.tenant_id = $1 AND t.id = a.parent_id
  ) SELECT id FROM above`;

const SUBTREE_DEPTH_SQL = `WITH RECURSIVE below AS (
    SELECT id, 1 AS level FROM tags WHERE tenant_id = $1 AND id = $2
    UNION ALL SELECT t.id, b.level + 1 FROM below b JOIN tags t ON t.tenant_id = $1 AND t.parent_id = b.id
  ) SELECT max(level)::int AS levels FROM below`;

/** Keeps a tenant's tags a forest, in which siblings have names of their own. */
@Injectable()
export class TagHierarchy {
  constructor(private readonly tenants: TenantsService) {}

  /**
   * Taken before any tag is written, so that those who write a tenant's tags take turns: of two moves that
   * would only together make a circle, the second finds the first one done.
   */
  lock(tx: Transaction, tenantId: string): Promise<void> {
    return this.tenants.lock(tx, tenantId);
  }

  /**
   * Makes sure, behind the lock, that a tag may stand below `parentId`.
   * @param tagId the tag that moves there; left out for a new one
   * @throws 422 for an unknown parent, a circle, or a tree that gets too deep
   */
  async ensureValidParent(
    tx: Transaction,
    tenantId: string,
    parentId: string,
    tagId?: string,
  ): Promise<void> {
    const above = await tx.query<{ id: string }>(ANCESTORS_SQL, [tenantId, parentId]);
    const below = tagId && (await tx.one<{ levels: number }>(SUBTREE_DEPTH_SQL, [tenantId, tagId]));
    const refusal = validateTagPosition({
      ancestorIds: above.map(({ id }) => id),
      depth: below ? below.levels : 1,
      ...(tagId ? { tagId } : {}),
    });
    if (refusal) throw refusal;
  }

  /**
   * Makes sure, behind the lock, that each child of a tag that goes has a name of its own where it moves.
   * @throws 422 tag_name_taken
   */
  async ensureChildNamesFree(tx: Transaction, { tenant_id, id, parent_id }: Tag): Promise<void> {
    const clash = await tx.one<{ name: string }>(
      `SELECT c.name FROM tags c JOIN tags s ON s.tenant_id = c.tenant_id AND lower(s.name) = lower(c.name)
       WHERE c.tenant_id = $1 AND c.parent_id = $2 AND s.parent_id IS NOT DISTINCT FROM $3 AND s.id <> $2
       ORDER BY c.name LIMIT 1`,
      [tenant_id, id, parent_id],
    );
    if (!clash) return;
    const detail =
      `The tag "${clash.name}" below it would come to stand beside another of that name. ` +
      'Rename it, move it or delete it first.';
    throw unprocessable('tag_name_taken', detail);
  }
}
