import { Injectable } from '@nestjs/common';
import { Clock } from '../../platform/clock/clock';
import { Database } from '../../platform/database/database';
import type { Transaction } from '../../platform/database/transaction';
import { changedFields } from '../../platform/events/record-updated';
import { EventBus } from '../../platform/events/event-bus';
import { notFound, unprocessable } from '../../platform/http/errors/api-error';
import { TenantsService } from '../../tenancy/tenants.service';
import type { CreateSkillDto, SkillDto, UpdateSkillDto } from './skill.dto';
import { Skill } from './skill.entity';
import { SkillCreated, SkillUpdated } from './skill.events';
import { SkillList } from './skill-list';

/** Skills of one tenant. */
const MAX_SKILLS = 200;

/** Creates and updates skills, under the tenant's lock. */
@Injectable()
export class SkillsService {
  constructor(
    private readonly database: Database,
    private readonly tenants: TenantsService,
    private readonly list: SkillList,
    private readonly events: EventBus,
    private readonly clock: Clock,
  ) {}

  /** @throws 422 for a name in use, and too_many_skills when the tenant has MAX_SKILLS already */
  async create(tenantId: string, input: CreateSkillDto): Promise<SkillDto> {
    const id = await this.database.tenant(tenantId, async (tx) => {
      await this.tenants.lock(tx, tenantId);
      await this.ensureWithinLimit(tx, tenantId);
      const skills = tx.repository(Skill);
      const skill = await skills.save(
        skills.create({ tenant_id: tenantId, name: input.name, description: input.description ?? null }),
      );
      await this.events.record(tx, new SkillCreated(tenantId, skill.id, this.clock.now().toISOString()));
      return skill.id;
    });
    return this.list.get(tenantId, id);
  }

  /** @throws 404; 422 for a name in use */
  async update(tenantId: string, id: string, input: UpdateSkillDto): Promise<SkillDto> {
    await this.database.tenant(tenantId, async (tx) => {
      // Two updates that exchange the names of two skills would wait for each other.
      await this.tenants.lock(tx, tenantId);
      const skills = tx.repository(Skill);
      const where = { id, tenant_id: tenantId };
      const skill = await skills.findOne({ where, lock: { mode: 'for_no_key_update' } });
      if (!skill) throw notFound('Skill');
      const changes = input as Partial<Skill>;
      const changed = changedFields(skill, changes);
      if (changed.length === 0) return;
      const now = this.clock.now();
      await skills.update(where, { ...changes, updated_at: now });
      await this.events.record(tx, new SkillUpdated(tenantId, id, now.toISOString(), changed));
    });
    return this.list.get(tenantId, id);
  }

  private async ensureWithinLimit(tx: Transaction, tenantId: string): Promise<void> {
    const count = await tx.repository(Skill).countBy({ tenant_id: tenantId });
    if (count < MAX_SKILLS) return;
    throw unprocessable('too_many_skills', `A company can have ${MAX_SKILLS} skills. Delete one first.`);
  }
}
