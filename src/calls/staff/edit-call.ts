import { Injectable } from '@nestjs/common';
import type { RequiredSkillDto } from '../../access-links/required-skill.dto';
import type { Principal } from '../../platform/access/principal';
import { Database } from '../../platform/database/database';
import { settleAll } from '../../platform/database/settle-all';
import type { Transaction } from '../../platform/database/transaction';
import { forbidden, invalidField, unprocessable } from '../../platform/http/errors/api-error';
import type { CallDetailsDto } from '../call-details.dto';
import type { UpdateCallDto } from './call-actions.dto';
import type { Call } from '../call.entity';
import { ensureNotErased } from '../erased-call';
import { type CallFields, UpdateCall } from '../machine/update-call';
import { rankAt } from '../queue/queue.rules';
import { actorOf } from './actor';
import { CallAccess } from './call-access';
import { CallList } from './call-list';

/** Changes the agent's notes on a call, and the priority and the required skills of a waiting one. */
@Injectable()
export class EditCall {
  constructor(
    private readonly database: Database,
    private readonly access: CallAccess,
    private readonly changes: UpdateCall,
    private readonly list: CallList,
  ) {}

  /**
   * A changed priority moves the call in the queue, by the priority_step that its department has now.
   * @returns the call after the change
   * @throws 404; 403 for notes on another agent's call, and for an attendant who changes more than notes; 422 for an unknown
   *   skill, or a call whose status does not allow the change
   */
  async edit(user: Principal, callId: string, input: UpdateCallDto): Promise<CallDetailsDto> {
    const { supervises } = actorOf(user);
    const isMove = (input.priority ?? input.skills ?? null) !== null;
    if (isMove && !supervises)
      throw forbidden('Only supervisors can change the priority and the skills of a call.');
    await this.database.tenant(user.tenant_id, async (tx) => {
      const [skills, call, step] = await settleAll([
        // Lock order: skills before the call.
        input.skills ? this.lockSkills(tx, user.tenant_id, input.skills) : undefined,
        this.access.lockVisible(tx, user, callId),
        this.priorityStepOf(tx, callId),
      ]);
      if (isMove) ensureWaiting(call);
      if (input.notes !== undefined && input.notes !== call.notes) ensureNotable(call, user);
      const priority = input.priority ?? call.priority;
      const { notes } = input;
      await this.changes.write(tx, call, {
        required_skills: skills,
        ...newRank(call, priority, step),
        notes,
      });
    });
    return this.list.get(user, callId);
  }

  /**
   * Keeps the skills from being deleted until the transaction ends.
   * @returns the list as calls store it: sorted by skill_id
   * @throws 422 for a skill that the tenant does not have
   */
  private async lockSkills(
    tx: Transaction,
    tenantId: string,
    required: RequiredSkillDto[],
  ): Promise<RequiredSkillDto[]> {
    const levels = new Map(required.map(({ skill_id, min_level }) => [skill_id.toLowerCase(), min_level]));
    const known = await tx.query<{ id: string }>(
      'SELECT id FROM skills WHERE tenant_id = $1 AND id = ANY ($2) ORDER BY id FOR KEY SHARE',
      [tenantId, [...levels.keys()]],
    );
    if (known.length < levels.size) throw invalidField('skills', 'names a skill that does not exist');
    return known.map(({ id }) => ({ skill_id: id, min_level: levels.get(id) ?? 1 }));
  }

  /** @returns seconds; 0 for a call whose department was deleted, which is not waiting */
  private async priorityStepOf(tx: Transaction, callId: string): Promise<number> {
    const department = await tx.one<{ priority_step: number }>(
      `SELECT d.priority_step FROM calls c JOIN departments d ON d.tenant_id = c.tenant_id AND d.id = c.department_id
       WHERE c.id = $1`,
      [callId],
    );
    return department?.priority_step ?? 0;
  }
}

function ensureWaiting({ status }: Call): void {
  if (status === 'queued') return;
  const detail = `The priority and the skills of a call that is ${status} cannot be changed.`;
  throw unprocessable('invalid_transition', detail);
}

/** The agent of a call may write notes on it from the assignment on, also after its end; supervisors on any such call. */
function ensureNotable(call: Call, user: Principal): void {
  if (call.user_id === null) {
    throw unprocessable('invalid_transition', `A call that is ${call.status} without an agent has no notes.`);
  }
  if (call.user_id !== user.user_id && !actorOf(user).supervises) {
    throw forbidden('The call belongs to another agent.', 'not_your_call');
  }
  ensureNotErased(call);
}

/** Without another priority the rank stays, also if the department has another priority_step now. */
function newRank(call: Call, priority: number, step: number): CallFields {
  if (priority === call.priority) return {};
  return { priority, rank_at: rankAt(call.inserted_at, priority, step) };
}
