import { Injectable } from '@nestjs/common';
import { AgentsOfCalls } from './agents-of-calls';
import { Attempts } from './attempts';
import { ClaimCall } from './claim-call';
import { FindCall } from './find-call';
import { FindWaitingAgents } from './find-waiting-agents';
import type { Wake } from './wake';

/** How a run ended. */
export interface RunResult {
  /** Whether the limit of the plan kept a call from being offered. */
  is_limited: boolean;
}

/** Calls that one statement compares with the available agents. */
const CALLS_IN_ROUND = 100;

/** Offers the waiting calls of a tenant to the agents who can take them. */
@Injectable()
export class TenantRouter {
  constructor(
    private readonly claims: ClaimCall,
    private readonly calls: FindCall,
    private readonly agents: AgentsOfCalls,
    private readonly waiting: FindWaitingAgents,
  ) {}

  /** Serves the agents, then those whom the calls can be offered to, and all others if the wake-up says so. */
  async run({ tenant_id, user_ids, call_ids, all }: Wake): Promise<RunResult> {
    const is_limited =
      (await this.serveAll(tenant_id, user_ids)) ||
      (await this.serveCalls(tenant_id, [...call_ids])) ||
      (all && (await this.serveWaiting(tenant_id)));
    return { is_limited };
  }

  private async serveWaiting(tenantId: string): Promise<boolean> {
    for await (const userIds of this.waiting.ofTenant(tenantId)) {
      if (await this.serveAll(tenantId, userIds)) return true;
    }
    return false;
  }

  private async serveAll(tenantId: string, userIds: Iterable<string>): Promise<boolean> {
    for (const userId of userIds) {
      if (await this.serve(tenantId, userId)) return true;
    }
    return false;
  }

  private async serveCalls(tenantId: string, callIds: string[]): Promise<boolean> {
    const served = new Set<string>();
    for (let first = 0; first < callIds.length; first += CALLS_IN_ROUND) {
      const ids = callIds.slice(first, first + CALLS_IN_ROUND);
      if (await this.serveBestOf(tenantId, ids, served)) return true;
    }
    return false;
  }

  /**
   * Serves the best agents of the calls. An agent may get another call that comes before, so the calls are looked at again
   * until no agent can take them, or all who can have been served. It ends: no agent is served twice in a run.
   * @param served the agents whom the run has served, to whom it adds these
   */
  private async serveBestOf(tenantId: string, callIds: string[], served: Set<string>): Promise<boolean> {
    for (;;) {
      const found = await this.agents.find(tenantId, callIds);
      const agents = found.filter((id) => !served.has(id));
      if (agents.length === 0) return false;
      for (const id of agents) served.add(id);
      if (await this.serveAll(tenantId, agents)) return true;
    }
  }

  /**
   * Offers the first call that the agent may take to the best agent for it, until this agent has an offer or finds no call.
   * If another agent is better, they are served before: there may be an earlier call that only they can take.
   * @returns whether the limit of the plan kept a call from being offered
   */
  private async serve(tenantId: string, userId: string): Promise<boolean> {
    const attempts = new Attempts();
    const serving = [userId];
    for (let agent = serving.at(-1); agent !== undefined; agent = serving.at(-1)) {
      const call = await this.calls.of(tenantId, agent, attempts.givenUp);
      const best = call?.candidates.find(({ user_id }) => !attempts.isGivenUp(user_id))?.user_id;
      if (!call || best === undefined) {
        serving.pop();
      } else if (best !== agent && !serving.includes(best)) {
        serving.push(best);
      } else {
        const result = await this.claims.claim(call, best);
        if (result === 'limit') return true;
        if (result === 'offered') serving.splice(serving.indexOf(best), 1);
        else await attempts.failed(result === 'call_taken' ? call.call_id : best);
      }
    }
    return false;
  }
}
