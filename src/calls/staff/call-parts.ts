import { Injectable } from '@nestjs/common';
import type { Principal } from '../../platform/access/principal';
import { type ColumnsOf, plainColumns, selectList } from '../../platform/database/columns';
import { Database } from '../../platform/database/database';
import { notFound } from '../../platform/http/errors/api-error';
import { visibleCalls } from './call-access';
import type { CallPartDto } from './call-part.dto';

/** The columns of a part `p` of a call. */
export const CALL_PART_COLUMNS: ColumnsOf<CallPartDto> = plainColumns('p', [
  'user_id',
  'user_name',
  'department_id',
  'started_at',
  'ended_at',
  'ended_by',
]);

/** Reads the parts of calls, which a trigger records when an agent starts, takes over, transfers or ends a call. */
@Injectable()
export class CallParts {
  constructor(private readonly database: Database) {}

  /** @returns the parts, the oldest first. @throws 404, also for a call that the caller may not see */
  async list(user: Principal, callId: string): Promise<CallPartDto[]> {
    const { sql, values } = visibleCalls(user).and('c.id = ?', callId);
    const [calls, parts] = await this.database.readTenant<[{ id: string }, CallPartDto]>(user.tenant_id, [
      { text: `SELECT c.id FROM calls c ${sql}`, values },
      {
        text: `SELECT ${selectList(CALL_PART_COLUMNS)} FROM call_parts p
               WHERE p.tenant_id = $1 AND p.call_id = $2 ORDER BY p.started_at, p.ended_at NULLS LAST`,
        values: [user.tenant_id, callId],
      },
    ]);
    if (calls.length === 0) throw notFound('Call');
    return parts;
  }
}
