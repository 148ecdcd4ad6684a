import { Module } from '@nestjs/common';
import { TypeOrmModule } from '@nestjs/typeorm';
import { CallsModule } from '../calls/calls.module';
import { CONSTRAINT_ERRORS } from '../platform/http/errors/constraint-errors';
import { PresenceModule } from '../presence/presence.module';
import { TenancyModule } from '../tenancy/tenancy.module';
import { AcceptTransfer } from './offers/accept-transfer';
import { MakeOffer } from './offers/make-offer';
import { DeleteSkill } from './skills/delete-skill';
import { SKILL_CONSTRAINTS } from './skills/skill.constraints';
import { Skill } from './skills/skill.entity';
import { SkillList } from './skills/skill-list';
import { SkillsController } from './skills/skills.controller';
import { SkillsService } from './skills/skills.service';
import { UserSkillsController } from './skills/user-skills.controller';
import { UserSkillsService } from './skills/user-skills.service';
import { TransferController } from './transfer/transfer.controller';
import { TransferToDepartment } from './transfer/transfer-to-department';
import { TransferToUser } from './transfer/transfer-to-user';

CONSTRAINT_ERRORS.register(SKILL_CONSTRAINTS);

@Module({
  imports: [TypeOrmModule.forFeature([Skill]), TenancyModule, PresenceModule, CallsModule],
  controllers: [SkillsController, UserSkillsController, TransferController],
  providers: [
    SkillList,
    SkillsService,
    DeleteSkill,
    UserSkillsService,
    MakeOffer,
    AcceptTransfer,
    TransferToDepartment,
    TransferToUser,
  ],
})
export class RoutingModule {}
