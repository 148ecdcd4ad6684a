import { Module } from '@nestjs/common';
import { CallsModule } from '../../calls/calls.module';
import { PresenceModule } from '../../presence/presence.module';
import { AgentsModule } from '../agents/agents.module';
import { OffersModule } from '../offers/offers.module';
import { CallRoutingController } from './call-routing.controller';
import { ExplainRouting } from './explain-routing';
import { ForceOffer } from './force-offer';
import { ForceOfferController } from './force-offer.controller';

@Module({
  imports: [CallsModule, PresenceModule, AgentsModule, OffersModule],
  controllers: [CallRoutingController, ForceOfferController],
  providers: [ExplainRouting, ForceOffer],
})
export class SupervisionModule {}
