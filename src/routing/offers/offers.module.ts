import { Module } from '@nestjs/common';
import { TypeOrmModule } from '@nestjs/typeorm';
import { CallsModule } from '../../calls/calls.module';
import { CustomersModule } from '../../customers/customers.module';
import { PlansModule } from '../../plans/plans.module';
import { PresenceModule } from '../../presence/presence.module';
import { AgentsModule } from '../agents/agents.module';
import { AcceptOffer } from './accept-offer';
import { AcceptTransfer } from './accept-transfer';
import { DeclineOffer } from './decline-offer';
import { EndOffers } from './end-offers';
import { MakeOffer } from './make-offer';
import { Offer } from './offer.entity';
import { OfferEffects } from './offer-effects';
import { OfferListeners } from './offer-listeners';
import { OfferPersonalData } from './offer-personal-data';
import { OfferSweeper } from './offer-sweeper';
import { OfferingCapacity } from './offering-capacity';
import { OffersController } from './offers.controller';
import { OwnOffers } from './own-offers';
import { SelectAgent } from './select-agent';

@Module({
  imports: [
    TypeOrmModule.forFeature([Offer]),
    CallsModule,
    CustomersModule,
    PlansModule,
    PresenceModule,
    AgentsModule,
  ],
  controllers: [OffersController],
  providers: [
    AcceptOffer,
    AcceptTransfer,
    DeclineOffer,
    EndOffers,
    MakeOffer,
    OfferEffects,
    OfferListeners,
    OfferPersonalData,
    OfferSweeper,
    OfferingCapacity,
    OwnOffers,
    SelectAgent,
  ],
  exports: [AcceptOffer, DeclineOffer, EndOffers, MakeOffer, OfferingCapacity, OwnOffers, SelectAgent],
})
export class OffersModule {}
