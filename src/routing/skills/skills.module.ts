import { Module } from '@nestjs/common';
import { TypeOrmModule } from '@nestjs/typeorm';
import { CONSTRAINT_ERRORS } from '../../platform/http/errors/constraint-error-registry';
import { TenancyModule } from '../../tenancy/tenancy.module';
import { DeleteSkill } from './delete-skill';
import { SKILL_CONSTRAINTS } from './skill.constraints';
import { Skill } from './skill.entity';
import { SkillList } from './skill-list';
import { SkillsController } from './skills.controller';
import { SkillsService } from './skills.service';
import { UserSkillsController } from './user-skills.controller';
import { UserSkillsService } from './user-skills.service';

CONSTRAINT_ERRORS.register(SKILL_CONSTRAINTS);

@Module({
  imports: [TypeOrmModule.forFeature([Skill]), TenancyModule],
  controllers: [SkillsController, UserSkillsController],
  providers: [SkillList, SkillsService, DeleteSkill, UserSkillsService],
})
export class SkillsModule {}
