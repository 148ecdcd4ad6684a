import { Injectable } from '@nestjs/common';
import type { Transaction } from '../platform/database/transaction';
import { unprocessable } from '../platform/http/errors/api-error';
import { TenantsService } from '../tenancy/tenants.service';
import type { Tag } from './tag.entity';
import { validateTagPosition } from './tag.rules';

const ANCESTORS_SQL = `WITH RECURSIVE ancestors AS (
    SELECT id, parent_id FROM tags WHERE tenant_id = $1 AND id = $2
    UNION SELECT t.id, t.parent_id FROM ancestors a JOIN tags t ON t.tenant_id = $1 AND t.id = a.parent_id
  ) SELECT id FROM ancestors`;

const SUBTREE_DEPTH_SQL = `WITH RECURSIVE subtree AS (
    SELECT id, 1 AS level FROM tags WHERE tenant_id = $1 AND id = $2
    UNION ALL SELECT t.id, s.level + 1 FROM subtree s JOIN tags t ON t.tenant_id = $1 AND t.parent_id = s.id
  ) SELECT max(level)::int AS depth FROM subtree`;

/** Keeps a tenant's tags a forest in which the names of siblings are unique. */
@Injectable()
export class TagHierarchy {
  constructor(private readonly tenants: TenantsService) {}

  /**
   * Serialises writes of a tenant's tags. Two concurrent moves could otherwise form a cycle that neither of them
   * forms alone.
   */
  lock(tx: Transaction, tenantId: string): Promise<void> {
    return this.tenants.lock(tx, tenantId);
  }

  /**
   * Call with the lock held.
   * @param tagId the tag to move; omitted for a new one
   * @throws 422 for an unknown parent, a cycle, or a tree that becomes too deep
   */
  async ensureValidParent(
    tx: Transaction,
    tenantId: string,
    parentId: string,
    tagId?: string,
  ): Promise<void> {
    const ancestors = await tx.query<{ id: string }>(ANCESTORS_SQL, [tenantId, parentId]);
    const subtree = tagId && (await tx.one<{ depth: number }>(SUBTREE_DEPTH_SQL, [tenantId, tagId]));
    const error = validateTagPosition({
      ancestorIds: ancestors.map(({ id }) => id),
      depth: subtree ? subtree.depth : 1,
      ...(tagId ? { tagId } : {}),
    });
    if (error) throw error;
  }

  /**
   * Ensures that the children of a tag about to be deleted can move up to its parent without a duplicate name. Call
   * with the lock held.
   * @throws 422 tag_name_taken
   */
  async ensureChildNamesFree(tx: Transaction, { tenant_id, id, parent_id }: Tag): Promise<void> {
    const duplicate = await tx.one<{ name: string }>(
      `SELECT c.name FROM tags c JOIN tags s ON s.tenant_id = c.tenant_id AND lower(s.name) = lower(c.name)
       WHERE c.tenant_id = $1 AND c.parent_id = $2 AND s.parent_id IS NOT DISTINCT FROM $3 AND s.id <> $2
       ORDER BY c.name LIMIT 1`,
      [tenant_id, id, parent_id],
    );
    if (!duplicate) return;
    const detail =
      `The child tag "${duplicate.name}" would become a sibling of another tag with that name. ` +
      'Rename, move or delete it first.';
    throw unprocessable('tag_name_taken', detail);
  }
}
