import { Injectable } from '@nestjs/common';
import { Database } from '../../platform/database/database';
import type { Transaction } from '../../platform/database/transaction';
import { invalidField, notFound } from '../../platform/http/errors/api-error';
import type { Principal } from '../../platform/access/principal';
import { UpdateCall } from '../machine/update-call';
import { CALL_TAGS_COLUMN } from '../call.columns';
import { CallAccess, visibleCalls } from '../staff/call-access';
import type { CallTagDto } from '../call-details.dto';
import type { Call } from '../call.entity';

/** Tags of calls, which can be changed in every state. */
@Injectable()
export class CallTags {
  constructor(
    private readonly database: Database,
    private readonly access: CallAccess,
    private readonly changes: UpdateCall,
  ) {}

  /** By name. @throws 404, also for a call that the caller may not see */
  async list(user: Principal, callId: string): Promise<CallTagDto[]> {
    const filter = visibleCalls(user).and('c.id = ?', callId);
    const [rows] = await this.database.readTenant<[{ tags: CallTagDto[] }]>(user.tenant_id, [
      { text: `SELECT ${CALL_TAGS_COLUMN} AS tags FROM calls c ${filter.sql}`, values: filter.values },
    ]);
    const call = rows[0];
    if (!call) throw notFound('Call');
    return call.tags;
  }

  /**
   * Adds a tag. Adding it twice changes nothing.
   * @throws 404 for the call, 422 for an unknown tag
   */
  add(user: Principal, callId: string, tagId: string): Promise<CallTagDto> {
    return this.withCall(user, callId, async (tx, call) => {
      const { tenant_id } = user;
      const tag = await tx.one<CallTagDto>(
        'SELECT id, name, color FROM tags WHERE tenant_id = $1 AND id = $2',
        [tenant_id, tagId],
      );
      if (!tag) throw invalidField('tag_id', 'names a tag that does not exist');
      const added = await tx.query(
        `INSERT INTO call_tags (tenant_id, call_id, tag_id) VALUES ($1, $2, $3)
         ON CONFLICT ON CONSTRAINT call_tags_pkey DO NOTHING RETURNING tag_id`,
        [tenant_id, callId, tagId],
      );
      if (added.length > 0) await this.changes.recordChange(tx, call, 'tags');
      return tag;
    });
  }

  /** @throws 404 for the call, or if it does not have the tag */
  remove(user: Principal, callId: string, tagId: string): Promise<void> {
    return this.withCall(user, callId, async (tx, call) => {
      const removed = await tx.query(
        'DELETE FROM call_tags WHERE tenant_id = $1 AND call_id = $2 AND tag_id = $3 RETURNING tag_id',
        [user.tenant_id, callId, tagId],
      );
      if (removed.length === 0) throw notFound('Tag');
      await this.changes.recordChange(tx, call, 'tags');
    });
  }

  private withCall<T>(
    user: Principal,
    callId: string,
    work: (tx: Transaction, call: Call) => Promise<T>,
  ): Promise<T> {
    return this.database.tenant(user.tenant_id, async (tx) => {
      return work(tx, await this.access.lockVisible(tx, user, callId));
    });
  }
}
