import { Injectable } from '@nestjs/common';
import { visibleCalls } from '../../calls/staff/call-access';
import { planInForce } from '../../plans/plan-catalogue';
import type { Principal } from '../../platform/access/principal';
import { Clock } from '../../platform/clock/clock';
import { Database } from '../../platform/database/database';
import { notFound } from '../../platform/http/errors/api-error';
import type { Candidate, LineCall } from '../offers/eligibility.rules';
import { explainRouting, type RoutingExplanation } from './explain-routing.rules';
import {
  type CallRow,
  callStatement,
  type CandidateRow,
  candidatesStatement,
  type ConcurrentCallsRow,
  concurrentCallsStatement,
} from './routing-facts';

/** Answers the question why a waiting call is not offered to an agent. */
@Injectable()
export class ExplainRouting {
  constructor(
    private readonly database: Database,
    private readonly clock: Clock,
  ) {}

  /**
   * Reads what the statements that find and claim calls decide by, in one round trip.
   * @throws 404
   */
  async explain(user: Principal, callId: string): Promise<RoutingExplanation> {
    const now = this.clock.now();
    const [calls, candidates, concurrent] = await this.database.readTenant<
      [CallRow, CandidateRow, ConcurrentCallsRow]
    >(user.tenant_id, [
      callStatement(visibleCalls(user).and('c.id = ?', callId), now),
      candidatesStatement(user.tenant_id, callId, now),
      concurrentCallsStatement(user.tenant_id),
    ]);
    const [call] = calls;
    if (!call) throw notFound('Call');
    const plan_limit = concurrent.some((row) => isLimitReached(row, now));
    return explainRouting({ ...call, plan_limit }, lineCallOf(call), candidates.map(candidateOf));
  }
}

function lineCallOf({ skills, reserved_user_id: user_id, reserved_state }: CallRow): LineCall {
  return { skills, reserved_for: user_id === null ? null : { user_id, state: reserved_state ?? 'offline' } };
}

function candidateOf({ skills, ...candidate }: CandidateRow): Candidate {
  return { ...candidate, skills: new Map(Object.entries(skills)) };
}

function isLimitReached({ grace_deadline, count, ...row }: ConcurrentCallsRow, now: Date): boolean {
  const deadline = grace_deadline === null ? null : new Date(grace_deadline);
  const max = planInForce({ ...row, grace_deadline: deadline }, now).limits.max_concurrent_calls;
  return max !== null && count >= max;
}
