import { Injectable } from '@nestjs/common';
import { LRUCache } from 'lru-cache';
import type { Principal } from '../../platform/access/principal';
import { RefreshingCache } from '../../platform/cache/refreshing-cache';
import { Clock } from '../../platform/clock/clock';
import { Database } from '../../platform/database/database';
import { OnCommit } from '../../platform/events/listeners';
import { unauthenticated } from '../../platform/http/errors/api-error';
import { AccessChanged, SessionRevoked } from './session.events';
import { TokenError } from '../../platform/tokens/token-keys';
import { TokensService } from '../../platform/tokens/tokens.service';

/** Claims of an access token: user, tenant, session. Role and name are read from the database instead. */
interface SessionClaims {
  sub: string;
  tid: string;
  sid: string;
}

export interface AccessClaims extends SessionClaims {
  iat: number;
  exp: number;
}

export interface SessionState extends Principal {
  tenant_name: string;
  tenant_slug: string;
  /** The tenant requires MFA and the user has not set it up: every other route is closed to them. */
  must_enrol: boolean;
}

/** Below the documented 5 s within which every instance notices a change. */
const STATE_TTL_MS = 4000;
/** The state of a session that is in use is read again at this age. */
const REFRESH_MS = 3000;
const VERIFIED_TTL_MS = 60_000;

const MUST_ENROL = 't.mfa_required AND NOT u.mfa_enabled';

/** Sessions that are open at $2. */
const OPEN = `FROM sessions s JOIN users u ON u.id = s.user_id JOIN tenants t ON t.id = s.tenant_id
  WHERE s.revoked_at IS NULL AND s.expires_at > $2 AND u.active AND t.suspended_at IS NULL`;

const SELECT_STATE = `SELECT s.tenant_id, s.user_id, s.id AS session_id, u.role, u.name,
    t.restrict_attendants AND u.role = 'attendant' AS restricted,
    t.name AS tenant_name, t.slug AS tenant_slug, ${MUST_ENROL} AS must_enrol
  ${OPEN}`;

/** User, role and tenant of open sessions, cached for a few seconds since every request reads them. */
@Injectable()
export class SessionStateCache {
  private readonly states: RefreshingCache<SessionState>;
  /** Sessions that ended recently: a state read concurrently must not put them back into the cache. */
  private readonly ended = new LRUCache<string, true>({ max: 10_000 });
  /** Claims of tokens whose signature was verified: a client sends the same token with every request. */
  private readonly verified = new LRUCache<string, AccessClaims>({ max: 10_000, ttl: VERIFIED_TTL_MS });

  /** Number of invalidations. A state read before the latest one may be stale. */
  private invalidationCount = 0;

  constructor(
    private readonly database: Database,
    private readonly tokens: TokensService,
    private readonly clock: Clock,
  ) {
    this.states = new RefreshingCache({
      max: 50_000,
      ttlMs: STATE_TTL_MS,
      refreshMs: REFRESH_MS,
      clock,
      readAll: (ids) => this.readAll(ids),
    });
  }

  /** Makes this instance reject the session's tokens from now on. */
  markEnded(sessionId: string): void {
    this.ended.set(sessionId, true);
    this.states.delete(sessionId);
  }

  /** Drops the cached sessions of a user, or of every user of a tenant, on this instance. */
  invalidate(subjectId: string): void {
    this.states.deleteWhere(({ user_id, tenant_id }) => user_id === subjectId || tenant_id === subjectId);
    this.invalidationCount++;
  }

  @OnCommit(SessionRevoked)
  onRevoked({ subject_id }: SessionRevoked): void {
    this.markEnded(subject_id);
  }

  @OnCommit(AccessChanged)
  onAccessChanged({ subject_id }: AccessChanged): void {
    this.invalidate(subject_id);
  }

  /** The claims of an access token. Its signature is verified once, its expiry every time. @throws TokenError */
  readClaims(token: string): AccessClaims {
    const known = this.verified.get(token);
    if (known) {
      if (known.exp * 1000 <= Date.now()) throw new TokenError('token_expired');
      return known;
    }
    const claims = this.tokens.verify<AccessClaims>('staff', token);
    this.verified.set(token, claims);
    return claims;
  }

  /** As readClaims, for sockets. @throws 401 with the reason as its code */
  verifyAccessToken(token: string): AccessClaims {
    try {
      return this.readClaims(token);
    } catch (error) {
      if (!(error instanceof TokenError)) throw error;
      // Of a text that is no token it is not known whether staff or a customer sent it.
      throw unauthenticated('The token is not valid or has expired.', error.code);
    }
  }

  /** The given sessions that may not hold a socket: they have ended, or their user must enrol in MFA. */
  async findUnusable(ids: string[]): Promise<string[]> {
    if (ids.length === 0) return [];
    const [unusable] = await this.database.readSystem<[{ id: string }]>([
      {
        text: `SELECT given.id FROM unnest($1::uuid[]) AS given (id)
               WHERE NOT EXISTS (SELECT ${OPEN} AND s.id = given.id AND NOT (${MUST_ENROL}))`,
        values: [ids, this.clock.now()],
      },
    ]);
    return unusable.map(({ id }) => id);
  }

  /** @throws 401 if the session has ended on this instance, also since its state was read */
  ensureOpen(sessionId: string): void {
    if (this.ended.has(sessionId)) throw sessionEnded();
  }

  /**
   * The session's state, at most 4 s old.
   * @param maxAgeMs if it must be younger
   * @throws 401 when the session has ended or its user is not active
   */
  async getState(claims: SessionClaims, maxAgeMs?: number): Promise<SessionState> {
    const cached = this.states.get(claims.sid, maxAgeMs);
    if (cached && matches(cached, claims)) return cached;
    const countBefore = this.invalidationCount;
    const since = this.states.now();
    const [rows] = await this.database.readTenant<[SessionState]>(claims.tid, [
      {
        text: `${SELECT_STATE} AND s.id = $1 AND s.tenant_id = $3 AND s.user_id = $4`,
        values: [claims.sid, this.clock.now(), claims.tid, claims.sub],
      },
    ]);
    const state = rows[0];
    if (!state) throw sessionEnded();
    this.ensureOpen(claims.sid);
    // A state that was read before an invalidation serves this request but must not be cached.
    if (countBefore === this.invalidationCount) this.states.set(claims.sid, state, since);
    return state;
  }

  /** Reads the states of sessions in use again. Those that have ended are left out. */
  private async readAll(ids: string[]): Promise<Map<string, SessionState>> {
    const [states] = await this.database.readSystem<[SessionState]>([
      {
        text: `${SELECT_STATE} AND s.id = ANY ($1)`,
        values: [ids, this.clock.now()],
      },
    ]);
    return new Map(states.map((state) => [state.session_id, state]));
  }
}

const sessionEnded = () => unauthenticated('This session has ended. Log in again.', 'session_ended');

const matches = ({ user_id, tenant_id }: SessionState, { sub, tid }: SessionClaims): boolean =>
  user_id === sub && tenant_id === tid;
