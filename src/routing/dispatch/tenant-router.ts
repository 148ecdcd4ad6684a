import { setTimeout as pause } from 'node:timers/promises';
import { Injectable } from '@nestjs/common';
import { Clock } from '../../platform/clock/clock';
import { Database } from '../../platform/database/database';
import type { CallInLine } from '../offers/select-agent';
import { ClaimCall, type ClaimResult } from './claim-call';
import { type ClaimableCall, ClaimableCalls } from './claimable-calls';
import { findCallStatement, type FoundCall } from './find-call';
import type { Wake } from './wake';

/** A call that another transaction has locked is tried again after this time, so that those behind it do not pass it. */
const RETRY_MS = 15;
const MAX_ATTEMPTS = 4;

/** A run that has tried this many calls of departments ends, so that the agents and departments of later news wait no longer. */
const MAX_CALLS_OF_DEPARTMENTS = 20;

/** How a run ended. */
export interface RunResult {
  /** Whether the limit of the plan kept a call from being offered. */
  is_limited: boolean;
  /** The departments that may have other calls to offer. */
  unfinished_ids: string[];
}

const DONE: RunResult = { is_limited: false, unfinished_ids: [] };
const LIMITED: RunResult = { is_limited: true, unfinished_ids: [] };

/** The calls that a run does not try (again). */
class Attempts {
  private readonly counts = new Map<string, number>();
  private readonly given = new Set<string>();

  /** @returns whether the call may be tried again */
  async retry(callId: string): Promise<boolean> {
    const count = (this.counts.get(callId) ?? 0) + 1;
    this.counts.set(callId, count);
    if (count >= MAX_ATTEMPTS) this.giveUp(callId);
    else await pause(RETRY_MS);
    return count < MAX_ATTEMPTS;
  }

  giveUp(callId: string): void {
    this.given.add(callId);
  }

  get skipped(): string[] {
    return [...this.given];
  }
}

/** Offers the waiting calls of a tenant to the agents who can take them. */
@Injectable()
export class TenantRouter {
  constructor(
    private readonly database: Database,
    private readonly claims: ClaimCall,
    private readonly calls: ClaimableCalls,
    private readonly clock: Clock,
  ) {}

  async run(wake: Wake): Promise<RunResult> {
    for (const userId of wake.user_ids) {
      if (await this.serveAgent(wake.tenant_id, userId)) return LIMITED;
    }
    const departmentIds = wake.all ? await this.departmentsOf(wake.tenant_id) : [...wake.department_ids];
    return departmentIds.length > 0 ? this.serveDepartments(wake.tenant_id, departmentIds) : DONE;
  }

  /**
   * Offers calls that the agent may take, in the order of the line, until one is offered to this agent.
   * @returns whether the limit of the plan kept a call from being offered
   */
  private async serveAgent(tenantId: string, userId: string): Promise<boolean> {
    const attempts = new Attempts();
    for (;;) {
      const call = await this.findCall(tenantId, userId, attempts.skipped);
      if (!call) return false;
      const result = await this.claims.claim(call);
      if (result.kind === 'limit') return true;
      if (result.kind === 'offered' && result.user_id === userId) return false;
      // The agent was available a moment ago: another transaction has locked their row, or offered them a call.
      if (result.kind === 'no_agent' && !(await attempts.retry(call.call_id))) return false;
      if (result.kind === 'taken') await attempts.retry(call.call_id);
    }
  }

  /** An agent of several departments is offered the first call across all of their lines. */
  private async serveDepartments(tenantId: string, departmentIds: string[]): Promise<RunResult> {
    const attempts = new Attempts();
    const asked = new Set(departmentIds);
    for (let tried = 0; tried < MAX_CALLS_OF_DEPARTMENTS; tried++) {
      const call = await this.calls.firstOf(tenantId, [...asked], this.clock.now(), attempts.skipped);
      if (!call) return DONE;
      if (!asked.has(call.department_id)) {
        // Its agents may belong to departments whose lines were not compared.
        asked.add(call.department_id);
        continue;
      }
      const first = await this.firstOfReserved(call, attempts.skipped);
      const result: ClaimResult = await this.claims.claim(first);
      if (result.kind === 'limit') return LIMITED;
      if (result.kind !== 'offered') await attempts.retry(first.call_id);
    }
    return { is_limited: false, unfinished_ids: departmentIds };
  }

  /** The agent whom the call is reserved for may belong to departments whose lines were not compared. */
  private async firstOfReserved(call: ClaimableCall, skipped: readonly string[]): Promise<CallInLine> {
    const { tenant_id, reserved_user_id } = call;
    const first = reserved_user_id && (await this.findCall(tenant_id, reserved_user_id, skipped));
    return first || call;
  }

  private async findCall(
    tenantId: string,
    userId: string,
    skipped: readonly string[],
  ): Promise<CallInLine | undefined> {
    const [[found]] = await this.database.readTenant<[FoundCall]>(tenantId, [
      findCallStatement(tenantId, userId, this.clock.now(), skipped),
    ]);
    return found && { tenant_id: tenantId, ...found };
  }

  private async departmentsOf(tenantId: string): Promise<string[]> {
    const [departments] = await this.database.readTenant<[{ id: string }]>(tenantId, [
      {
        text: `SELECT id FROM departments WHERE tenant_id = $1 AND routing = 'automatic' AND active`,
        values: [tenantId],
      },
    ]);
    return departments.map(({ id }) => id);
  }
}
