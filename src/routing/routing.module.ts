import { Module } from '@nestjs/common';
import { TypeOrmModule } from '@nestjs/typeorm';
import { CONSTRAINT_ERRORS } from '../platform/http/errors/constraint-errors';
import { TenancyModule } from '../tenancy/tenancy.module';
import { AgentsModule } from './agents/agents.module';
import { DispatchModule } from './dispatch/dispatch.module';
import { OffersModule } from './offers/offers.module';
import { DeleteSkill } from './skills/delete-skill';
import { SKILL_CONSTRAINTS } from './skills/skill.constraints';
import { Skill } from './skills/skill.entity';
import { SkillList } from './skills/skill-list';
import { SkillsController } from './skills/skills.controller';
import { SkillsService } from './skills/skills.service';
import { UserSkillsController } from './skills/user-skills.controller';
import { UserSkillsService } from './skills/user-skills.service';
import { SupervisionModule } from './supervision/supervision.module';
import { TransferModule } from './transfer/transfer.module';

CONSTRAINT_ERRORS.register(SKILL_CONSTRAINTS);

@Module({
  imports: [
    TypeOrmModule.forFeature([Skill]),
    TenancyModule,
    AgentsModule,
    OffersModule,
    DispatchModule,
    TransferModule,
    SupervisionModule,
  ],
  controllers: [SkillsController, UserSkillsController],
  providers: [SkillList, SkillsService, DeleteSkill, UserSkillsService],
  exports: [AgentsModule, OffersModule],
})
export class RoutingModule {}
