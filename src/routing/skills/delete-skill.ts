import { Injectable } from '@nestjs/common';
import { LINK_STATUS_SQL } from '../../access-links/access-link.dto';
import { Clock } from '../../platform/clock/clock';
import { Database } from '../../platform/database/database';
import type { Transaction } from '../../platform/database/transaction';
import { EventBus } from '../../platform/events/event-bus';
import { notFound, unprocessable } from '../../platform/http/errors/api-error';
import { SkillDeleted } from './skill.events';

/** Deletes skills that are not in use. Users and past links lose them. */
@Injectable()
export class DeleteSkill {
  constructor(
    private readonly database: Database,
    private readonly events: EventBus,
    private readonly clock: Clock,
  ) {}

  /** @throws 404; 422 skill_in_use */
  async delete(tenantId: string, id: string): Promise<void> {
    await this.database.tenant(tenantId, async (tx) => {
      // Waits for transactions that create a link or a call with the skill, which lock its key. Later ones wait for this
      // one, and then find that the skill does not exist.
      const skill = await tx.one('SELECT FROM skills WHERE tenant_id = $1 AND id = $2 FOR UPDATE', [
        tenantId,
        id,
      ]);
      if (!skill) throw notFound('Skill');
      await this.ensureNoActiveLink(tx, tenantId, id);
      await this.ensureNoOpenCall(tx, tenantId, id);
      await tx.query('DELETE FROM skills WHERE tenant_id = $1 AND id = $2', [tenantId, id]);
      await this.events.record(tx, new SkillDeleted(tenantId, id, this.clock.now().toISOString()));
    });
  }

  private async ensureNoActiveLink(tx: Transaction, tenantId: string, skillId: string): Promise<void> {
    const link = await tx.one(
      `SELECT FROM access_link_skills s JOIN access_links l ON l.tenant_id = s.tenant_id AND l.id = s.access_link_id
         JOIN departments d ON d.id = l.department_id
       WHERE s.tenant_id = $2 AND s.skill_id = $3 AND ${LINK_STATUS_SQL} IN ('active', 'scheduled') LIMIT 1`,
      [this.clock.now(), tenantId, skillId],
    );
    if (!link) return;
    throw unprocessable('skill_in_use', 'An active access link requires the skill. Cancel the link first.');
  }

  private async ensureNoOpenCall(tx: Transaction, tenantId: string, skillId: string): Promise<void> {
    const call = await tx.one(
      `SELECT FROM calls WHERE tenant_id = $1 AND status IN ('queued', 'assigned', 'active')
         AND required_skills @> $2::jsonb LIMIT 1`,
      [tenantId, JSON.stringify([{ skill_id: skillId }])],
    );
    if (call) throw unprocessable('skill_in_use', 'A call that has not ended requires the skill.');
  }
}
