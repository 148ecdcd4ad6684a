import { Module } from '@nestjs/common';
import { AgentsModule } from './agents/agents.module';
import { AlertsModule } from './alerts/alerts.module';
import { CallbacksModule } from './callbacks/callbacks.module';
import { DispatchModule } from './dispatch/dispatch.module';
import { OffersModule } from './offers/offers.module';
import { RoutingMetrics } from './routing-metrics';
import { SkillsModule } from './skills/skills.module';
import { SupervisionModule } from './supervision/supervision.module';
import { TimelineModule } from './timeline/timeline.module';
import { TransferModule } from './transfer/transfer.module';

@Module({
  imports: [
    SkillsModule,
    AgentsModule,
    OffersModule,
    DispatchModule,
    TransferModule,
    SupervisionModule,
    TimelineModule,
    AlertsModule,
    CallbacksModule,
  ],
  providers: [RoutingMetrics],
  exports: [AgentsModule, OffersModule],
})
export class RoutingModule {}
