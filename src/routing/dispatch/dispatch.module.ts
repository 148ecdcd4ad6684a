import { Module } from '@nestjs/common';
import { PresenceModule } from '../../presence/presence.module';
import { AgentsModule } from '../agents/agents.module';
import { OffersModule } from '../offers/offers.module';
import { AgentsOfCalls } from './agents-of-calls';
import { AutomaticDepartments } from './automatic-departments';
import { ClaimCall } from './claim-call';
import { ExclusionCleanup } from './exclusion-cleanup';
import { FindCall } from './find-call';
import { FindWaitingAgents } from './find-waiting-agents';
import { InvalidOffers } from './invalid-offers';
import { ReservedCalls } from './reserved-calls';
import { RoutingDispatcher } from './routing-dispatcher';
import { RoutingSweep } from './routing-sweep';
import { RoutingTriggers } from './routing-triggers';
import { TenantRouter } from './tenant-router';

@Module({
  imports: [PresenceModule, AgentsModule, OffersModule],
  providers: [
    AgentsOfCalls,
    AutomaticDepartments,
    ClaimCall,
    ExclusionCleanup,
    FindCall,
    FindWaitingAgents,
    InvalidOffers,
    ReservedCalls,
    RoutingDispatcher,
    RoutingSweep,
    RoutingTriggers,
    TenantRouter,
  ],
  exports: [RoutingDispatcher],
})
export class DispatchModule {}
