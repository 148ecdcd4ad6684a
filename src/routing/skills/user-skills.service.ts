import { Injectable } from '@nestjs/common';
import { USER_COLUMNS } from '../../identity/users/user.columns';
import type { UserSkillDto } from '../../identity/users/user.dto';
import { Clock } from '../../platform/clock/clock';
import { Database } from '../../platform/database/database';
import type { Transaction } from '../../platform/database/transaction';
import { EventBus } from '../../platform/events/event-bus';
import { invalidField, notFound } from '../../platform/http/errors/api-error';
import type { SkillLevelDto } from './skill.dto';
import { UserSkillsChanged } from './skill.events';

interface UserSkill {
  skill_id: string;
}

/** The skills of users. */
@Injectable()
export class UserSkillsService {
  constructor(
    private readonly database: Database,
    private readonly events: EventBus,
    private readonly clock: Clock,
  ) {}

  /**
   * Gives the user exactly these skills. Parallel calls for one user run one after the other, so the result is the list
   * of one of them.
   * @returns the skills by name
   * @throws 404 for the user; 422 for an unknown skill
   */
  async replace(tenantId: string, userId: string, skills: readonly SkillLevelDto[]): Promise<UserSkillDto[]> {
    await this.database.tenant(tenantId, async (tx) => {
      // Locked before the rows of the user, which the deletion of a skill locks after the skill.
      const known = await tx.query(
        'SELECT FROM skills WHERE tenant_id = $1 AND id = ANY ($2::uuid[]) ORDER BY id FOR KEY SHARE',
        [tenantId, skills.map(({ skill_id }) => skill_id)],
      );
      const user = await tx.one('SELECT FROM users WHERE tenant_id = $1 AND id = $2 FOR NO KEY UPDATE', [
        tenantId,
        userId,
      ]);
      if (!user) throw notFound('User');
      if (known.length < skills.length) throw invalidField('skills', 'names a skill that does not exist');
      const changedIds = await this.write(tx, tenantId, userId, skills);
      if (changedIds.length === 0) return;
      const at = this.clock.now().toISOString();
      await this.events.record(tx, new UserSkillsChanged(tenantId, userId, at, changedIds));
    });
    return this.read(tenantId, userId);
  }

  /** @returns the ids of the skills that were added, removed or changed */
  private async write(
    tx: Transaction,
    tenantId: string,
    userId: string,
    skills: readonly SkillLevelDto[],
  ): Promise<string[]> {
    const ids = skills.map(({ skill_id }) => skill_id);
    const removed = await tx.query<UserSkill>(
      `DELETE FROM user_skills WHERE tenant_id = $1 AND user_id = $2 AND skill_id <> ALL ($3::uuid[])
       RETURNING skill_id`,
      [tenantId, userId, ids],
    );
    const written = await tx.query<UserSkill>(
      `INSERT INTO user_skills (tenant_id, user_id, skill_id, level)
       SELECT $1, $2, skill_id, level FROM unnest($3::uuid[], $4::smallint[]) AS given (skill_id, level)
       ON CONFLICT ON CONSTRAINT user_skills_pkey DO UPDATE SET level = EXCLUDED.level
         WHERE user_skills.level <> EXCLUDED.level
       RETURNING skill_id`,
      [tenantId, userId, ids, skills.map(({ level }) => level)],
    );
    return [...removed, ...written].map(({ skill_id }) => skill_id);
  }

  private async read(tenantId: string, userId: string): Promise<UserSkillDto[]> {
    const [rows] = await this.database.readTenant<[{ skills: UserSkillDto[] }]>(tenantId, [
      {
        text: `SELECT ${USER_COLUMNS.skills} AS skills FROM users u WHERE u.tenant_id = $1 AND u.id = $2`,
        values: [tenantId, userId],
      },
    ]);
    const user = rows[0];
    if (!user) throw notFound('User');
    return user.skills;
  }
}
