import { Injectable } from '@nestjs/common';
import { Clock } from '../../platform/clock/clock';
import { Database } from '../../platform/database/database';
import { notFound } from '../../platform/http/errors/api-error';
import { Filter, ListQuery } from '../../platform/database/list-query';
import type { Page } from '../../platform/http/lists/pagination';
import type { Principal } from '../../platform/access/principal';
import { SESSION_SORT_COLUMNS, type SessionDto, type SessionListQuery } from './session.dto';
import { SessionsService } from './sessions.service';

const COLUMNS = `s.id, s.id = $1 AS current, s.address, s.user_agent, s.last_used_at, s.expires_at, s.inserted_at`;
const SORTABLE = Object.fromEntries(SESSION_SORT_COLUMNS.map((column) => [column, `s.${column}`]));

/** Lets users list their own sessions and end one, such as the session of a lost phone. */
@Injectable()
export class OwnSessionsService {
  constructor(
    private readonly database: Database,
    private readonly lists: ListQuery,
    private readonly sessions: SessionsService,
    private readonly clock: Clock,
  ) {}

  /** Lists open sessions only: neither expired nor revoked ones. */
  page({ tenant_id, user_id, session_id }: Principal, query: SessionListQuery): Promise<Page<SessionDto>> {
    const filter = new Filter()
      .parameter('uuid', session_id)
      .parameter('timestamptz', this.clock.now())
      .and('s.tenant_id = ?', tenant_id)
      .and('s.revoked_at IS NULL AND s.expires_at > $2 AND s.user_id = ?', user_id);
    const source = { select: COLUMNS, from: 'sessions s', filter, sortable: SORTABLE, id: 's.id' };
    return this.lists.page<SessionDto>(tenant_id, source, query);
  }

  /** @throws 404 for a session that is not the user's, has expired or was revoked */
  async revoke({ tenant_id, user_id }: Principal, id: string): Promise<void> {
    await this.database.tenant(tenant_id, async (tx) => {
      const open = await tx.query(
        `SELECT FROM sessions WHERE tenant_id = $1 AND user_id = $2 AND id = $3
           AND revoked_at IS NULL AND expires_at > $4 FOR UPDATE`,
        [tenant_id, user_id, id, this.clock.now()],
      );
      if (open.length === 0) throw notFound('Session');
      await this.sessions.revoke(tx, tenant_id, [id], 'revoked');
    });
  }
}
