import { Module } from '@nestjs/common';
import { PresenceModule } from '../../presence/presence.module';
import { AgentsModule } from '../agents/agents.module';
import { OffersModule } from '../offers/offers.module';
import { AutomaticDepartments } from './automatic-departments';
import { ClaimCall } from './claim-call';
import { ClaimableCalls } from './claimable-calls';
import { ExclusionCleanup } from './exclusion-cleanup';
import { InvalidOffers } from './invalid-offers';
import { RoutingDispatcher } from './routing-dispatcher';
import { RoutingSweep } from './routing-sweep';
import { RoutingTriggers } from './routing-triggers';
import { TenantRouter } from './tenant-router';
import { WaitingAgents } from './waiting-agents';

@Module({
  imports: [PresenceModule, AgentsModule, OffersModule],
  providers: [
    AutomaticDepartments,
    ClaimCall,
    ClaimableCalls,
    ExclusionCleanup,
    InvalidOffers,
    RoutingDispatcher,
    RoutingSweep,
    RoutingTriggers,
    TenantRouter,
    WaitingAgents,
  ],
  exports: [RoutingDispatcher],
})
export class DispatchModule {}
