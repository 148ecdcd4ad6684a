import { Injectable } from '@nestjs/common';
import { LRUCache } from 'lru-cache';
import { Clock } from '../../platform/clock/clock';
import { Database } from '../../platform/database/database';
import { AfterCommit } from '../../platform/events/listeners';
import { unauthenticated } from '../../platform/http/errors/api-error';
import type { Principal } from '../../platform/access/principal';
import { TokenError } from '../../platform/tokens/token-error';
import { TokensService } from '../../platform/tokens/tokens.service';
import { AccessChanged, SessionRevoked } from '../identity.events';

/** Claims of an access token: user, tenant, session. Role and name are looked up, so they are never stale. */
export interface AccessClaims {
  sub: string;
  tid: string;
  sid: string;
  exp: number;
}

export interface SessionState extends Principal {
  tenant_name: string;
  tenant_slug: string;
  /** The tenant demands a second factor and the user has none: all they may do is enrol. */
  must_enrol: boolean;
}

/** How long a session's state may be believed before it is read again: less than the 5 s that are promised. */
const STATE_TTL_MS = 4000;
const CHECKED_TTL_MS = 60_000;

const MUST_ENROL = 't.mfa_required AND NOT u.mfa_enabled';

/** Sessions that are good at $2. */
const LIVING = `FROM sessions s JOIN users u ON u.id = s.user_id JOIN tenants t ON t.id = s.tenant_id
  WHERE s.revoked_at IS NULL AND s.expires_at > $2 AND u.active AND t.suspended_at IS NULL`;

/** Who an access token stands for right now. Every request asks, so answers are kept for a few seconds. */
@Injectable()
export class SessionStates {
  private readonly states: LRUCache<string, SessionState>;
  /** Sessions that ended here a moment ago: a state that was being read meanwhile must not revive them. */
  private readonly ended = new LRUCache<string, true>({ max: 10_000 });
  /** Claims of tokens whose signature has been checked: the same one comes with every request. */
  private readonly checked = new LRUCache<string, AccessClaims>({ max: 10_000, ttl: CHECKED_TTL_MS });

  /** How often something was forgotten: a state read meanwhile may be older than that. */
  private changes = 0;

  constructor(
    private readonly database: Database,
    private readonly tokens: TokensService,
    private readonly clock: Clock,
  ) {
    this.states = new LRUCache({
      max: 50_000,
      ttl: STATE_TTL_MS,
      ttlResolution: 0,
      perf: { now: () => clock.now().getTime() },
    });
  }

  /** Makes this instance refuse the session's tokens at once. */
  endHere(sessionId: string): void {
    this.ended.set(sessionId, true);
    this.states.delete(sessionId);
  }

  /** Makes this instance read the sessions of a user, or of everybody of a tenant, again. */
  forget(subjectId: string): void {
    for (const [id, state] of this.states.entries()) {
      if (state.user_id === subjectId || state.tenant_id === subjectId) this.states.delete(id);
    }
    this.changes++;
  }

  @AfterCommit(SessionRevoked)
  async onRevoked({ subject_id }: SessionRevoked): Promise<void> {
    this.endHere(subject_id);
  }

  @AfterCommit(AccessChanged)
  async onAccessChanged({ subject_id }: AccessChanged): Promise<void> {
    this.forget(subject_id);
  }

  /**
   * Who a token belongs to that was checked a short while ago; undefined for any other. It still has to be
   * in time, and its session to live. @throws 401
   */
  async recall(token: string): Promise<SessionState | undefined> {
    const claims = this.checked.get(token);
    return claims && claims.exp * 1000 > Date.now() ? this.stateOf(claims) : undefined;
  }

  /** Lets `recall` know a token whose signature has just been checked. */
  remember(token: string, claims: AccessClaims): void {
    this.checked.set(token, claims);
  }

  /** @throws 401 */
  readAccessToken(token: string): AccessClaims {
    try {
      return this.tokens.verify<AccessClaims>('staff', token);
    } catch (error) {
      if (error instanceof TokenError) {
        throw unauthenticated('The access token is not valid or has expired.', error.code);
      }
      throw error;
    }
  }

  /** Which of these sessions may hold no socket: they are over, for whatever reason, or lack a second factor. */
  async shutOutAmong(ids: string[]): Promise<string[]> {
    if (ids.length === 0) return [];
    const [shutOut] = await this.database.readSystem<[{ id: string }]>([
      {
        name: 'sessions-shut-out',
        text: `SELECT asked.id FROM unnest($1::uuid[]) AS asked (id)
               WHERE NOT EXISTS (SELECT ${LIVING} AND s.id = asked.id AND NOT (${MUST_ENROL}))`,
        values: [ids, this.clock.now()],
      },
    ]);
    return shutOut.map(({ id }) => id);
  }

  /** @throws 401 when the session or its user is no longer good */
  async stateOf(claims: AccessClaims): Promise<SessionState> {
    const known = this.states.get(claims.sid);
    if (known && isOf(known, claims)) return known;
    const changesBefore = this.changes;
    const [rows] = await this.database.readTenant<[SessionState]>(claims.tid, [
      {
        name: 'session-state',
        text: `SELECT s.tenant_id, s.user_id, s.id AS session_id, u.role, u.name,
                 t.restrict_attendants AND u.role = 'attendant' AS restricted,
                 t.name AS tenant_name, t.slug AS tenant_slug, ${MUST_ENROL} AS must_enrol
               ${LIVING} AND s.id = $1 AND s.tenant_id = $3 AND s.user_id = $4`,
        values: [claims.sid, this.clock.now(), claims.tid, claims.sub],
      },
    ]);
    const state = rows[0];
    if (!state || this.ended.has(claims.sid))
      throw unauthenticated('This session has ended. Log in again.', 'session_ended');
    // What was read before a change is good for this request, not for the next.
    if (changesBefore === this.changes) this.states.set(claims.sid, state);
    return state;
  }
}

const isOf = ({ user_id, tenant_id }: SessionState, { sub, tid }: AccessClaims): boolean =>
  user_id === sub && tenant_id === tid;
