import { Module } from '@nestjs/common';
import { CallsModule } from '../../calls/calls.module';
import { PresenceModule } from '../../presence/presence.module';
import { AgentsModule } from '../agents/agents.module';
import { OffersModule } from '../offers/offers.module';
import { CallbackInviter } from './callback-inviter';
import { DueCallbacks } from './due-callbacks';
import { WithdrawOffersOfAbsent } from './withdraw-offers-of-absent';

@Module({
  imports: [PresenceModule, CallsModule, AgentsModule, OffersModule],
  providers: [CallbackInviter, DueCallbacks, WithdrawOffersOfAbsent],
})
export class CallbacksModule {}
