import { Module } from '@nestjs/common';
import { TypeOrmModule } from '@nestjs/typeorm';
import { CONSTRAINT_ERRORS } from '../platform/http/errors/constraint-errors';
import { CustomersModule } from '../customers/customers.module';
import { TenancyModule } from '../tenancy/tenancy.module';
import { AgentsModule } from './agents/agents.module';
import { AlertRetention } from './alerts/alert-retention';
import { QueueAlerts } from './alerts/queue-alerts';
import { OfferPersonalData } from './offers/offer-personal-data';
import { RoutingMetrics } from './routing-metrics';
import { DeleteSkill } from './skills/delete-skill';
import { SKILL_CONSTRAINTS } from './skills/skill.constraints';
import { Skill } from './skills/skill.entity';
import { SkillList } from './skills/skill-list';
import { SkillsController } from './skills/skills.controller';
import { SkillsService } from './skills/skills.service';
import { UserSkillsController } from './skills/user-skills.controller';
import { UserSkillsService } from './skills/user-skills.service';
import { CallRoutingController } from './supervision/call-routing.controller';
import { ExplainRouting } from './supervision/explain-routing';
import { CallTimeline } from './timeline/call-timeline';
import { TimelineController } from './timeline/timeline.controller';
import { TimelinePersonalData } from './timeline/timeline-personal-data';
import { TimelineReference } from './timeline/timeline-reference';
import { TimelineWriter } from './timeline/timeline-writer';

CONSTRAINT_ERRORS.register(SKILL_CONSTRAINTS);

@Module({
  imports: [TypeOrmModule.forFeature([Skill]), TenancyModule, CustomersModule, AgentsModule],
  controllers: [SkillsController, UserSkillsController, CallRoutingController, TimelineController],
  providers: [
    SkillList,
    SkillsService,
    DeleteSkill,
    UserSkillsService,
    OfferPersonalData,
    ExplainRouting,
    CallTimeline,
    TimelinePersonalData,
    TimelineReference,
    TimelineWriter,
    AlertRetention,
    QueueAlerts,
    RoutingMetrics,
  ],
  exports: [AgentsModule],
})
export class RoutingModule {}
