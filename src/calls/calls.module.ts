import { Module } from '@nestjs/common';
import { TypeOrmModule } from '@nestjs/typeorm';
import { AccessLinksModule } from '../access-links/access-links.module';
import { CustomersModule } from '../customers/customers.module';
import { PlansModule } from '../plans/plans.module';
import { PresenceModule } from '../presence/presence.module';
import { AgentCalls } from './agent-calls';
import { CallChanges } from './call-changes';
import { Call } from './call.entity';
import { CallList } from './call-list';
import { CallTags } from './call-tags';
import { CallTagsController } from './call-tags.controller';
import { CallsController } from './calls.controller';
import { CustomerCalls } from './customer-calls';
import { CustomerHistoryController } from './customer-history.controller';
import { CustomersCalls } from './customers-calls';
import { CustomerTokens } from './customer-tokens';
import { DepartmentCalls } from './department-calls';
import { IdempotencyKeys } from './idempotency-keys';
import { JoinQueue } from './join-queue';
import { ManagerNotes } from './manager-notes';
import { ManagerNotesController } from './manager-notes.controller';
import { Participants } from './participants';
import { PublicCallsController } from './public-calls.controller';
import { Queue } from './queue';
import { Sweeper } from './sweeper';
import { CallTransitions } from './transition-call';
import { Turn } from './turn';

@Module({
  imports: [
    TypeOrmModule.forFeature([Call]),
    PlansModule,
    PresenceModule,
    CustomersModule,
    AccessLinksModule,
  ],
  controllers: [
    CallsController,
    CustomerHistoryController,
    CallTagsController,
    ManagerNotesController,
    PublicCallsController,
  ],
  providers: [
    AgentCalls,
    CallChanges,
    CallList,
    CallTags,
    CallTransitions,
    CustomerCalls,
    CustomersCalls,
    CustomerTokens,
    DepartmentCalls,
    IdempotencyKeys,
    JoinQueue,
    ManagerNotes,
    Participants,
    Queue,
    Sweeper,
    Turn,
  ],
  exports: [
    AgentCalls,
    CallChanges,
    CallList,
    CallTransitions,
    CustomerCalls,
    CustomerTokens,
    Participants,
    Queue,
    Turn,
  ],
})
export class CallsModule {}
