import { type MiddlewareConsumer, Module, type NestModule, RequestMethod } from '@nestjs/common';
import { DiscoveryModule } from '@nestjs/core';
import { TypeOrmModule } from '@nestjs/typeorm';
import { AccessLinksModule } from '../access-links/access-links.module';
import { DepartmentsModule } from '../departments/departments.module';
import { CustomersModule } from '../customers/customers.module';
import { IdentityModule } from '../identity/identity.module';
import { PlansModule } from '../plans/plans.module';
import { RateLimitModule } from '../platform/rate-limit/rate-limit.module';
import { PresenceModule } from '../presence/presence.module';
import { TenancyModule } from '../tenancy/tenancy.module';
import { StaffCallActions } from './staff/staff-call-actions';
import { UpdateCall } from './machine/update-call';
import { Call } from './call.entity';
import { AssignableAgents } from './staff/assignable-agents';
import { AssignCall } from './staff/assign-call';
import { TakeCall } from './staff/take-call';
import { CallAccess } from './staff/call-access';
import { CallList } from './staff/call-list';
import { CallParts } from './staff/call-parts';
import { CallPartsController } from './staff/call-parts.controller';
import { AddressLimit } from './customer/address-limit';
import { Absence } from './machine/absence';
import { CustomerArrivals } from './machine/customer-arrivals';
import { CallWriter } from './machine/call-writer';
import { CallTags } from './tags/call-tags';
import { CallTagsController } from './tags/call-tags.controller';
import { CallsController } from './staff/calls.controller';
import { EditCall } from './staff/edit-call';
import { EditCallController } from './staff/edit-call.controller';
import { DeadlineMetric } from './deadlines/deadline-metric';
import { LineEntries } from './line/line-entries';
import { LineEntrySweeper } from './line/line-entry-sweeper';
import { LinePresenceSweeper } from './line/line-presence-sweeper';
import { CustomerCallActions } from './customer/customer-call-actions';
import { CustomerHistoryController } from './staff/customer-history.controller';
import { CallMetrics } from './call-metrics';
import { CallPersonalData } from './call-personal-data';
import { CustomerTokens } from './customer/customer-tokens';
import { CancelDepartmentCalls } from './cancel-department-calls';
import { HoldCall } from './customer/hold-call';
import { IdempotencyKeys } from './customer/idempotency-keys';
import { JoinQueue } from './customer/join-queue';
import { ManagerNotes } from './notes/manager-notes';
import { ManagerNotesController } from './notes/manager-notes.controller';
import { Reconnection } from './machine/reconnection';
import { PublicCallsController } from './customer/public-calls.controller';
import { SiteOrigins } from './customer/site-origins';
import { ClosingCalls } from './queue/closing-calls';
import { ClosingSweeper } from './queue/closing-sweeper';
import { DepartmentQueues } from './queue/department-queues';
import { LearnedWaitsCache } from './queue/learning/learned-waits-cache';
import { WaitLearner } from './queue/learning/wait-learner';
import { Queue } from './queue/queue';
import { DueOverflows } from './overflow/due-overflows';
import { EndOverflow } from './overflow/end-overflow';
import { OverflowSweeper } from './overflow/overflow-sweeper';
import { ChatController } from './chat/chat.controller';
import { ChatMessages } from './chat/chat-messages';
import { ChatPersonalData } from './chat/chat-personal-data';
import { JoinedCalls } from './chat/joined-calls';
import { callOfDeletedDepartment } from './deleted-department';
import { DeviceReports } from './media/device-reports';
import { QualityReports } from './media/quality-reports';
import { RecordingStates } from './media/recording-states';
import { CallSweeper } from './machine/call-sweeper';
import { CallTransitions } from './machine/call-transitions';
import { RequeueCall } from './machine/requeue-call';
import { TransitionEffects } from './machine/transition-effects';
import { WrapUpTimes } from './machine/wrap-up-times';
import { RequeueCallsOfInactiveAgents } from './machine/requeue-calls-of-inactive-agents';
import { Callback } from './callbacks/callback.entity';
import { CallbackEndings } from './callbacks/callback-endings';
import { CallbackPersonalData } from './callbacks/callback-personal-data';
import { CallbackSubscribers } from './callbacks/callback-subscribers';
import { CallbackSweeper } from './callbacks/callback-sweeper';
import { Callbacks } from './callbacks/callbacks';
import { InviteCustomer } from './callbacks/invite-customer';
import { CallbackMailWorker } from './callbacks/mail/callback-mail-worker';
import { CallbackMails } from './callbacks/mail/callback-mails';
import { RequestCallback } from './callbacks/request-callback';
import { ResumeLinks } from './callbacks/resume-links';
import { ReturnToCall } from './callbacks/return-to-call';
import { CallbacksController } from './customer/callbacks.controller';
import { CustomerCallbacks } from './customer/customer-callbacks';
import { ResumeCall } from './customer/resume-call';
import { RateCall } from './customer/rate-call';
import { TurnAccess } from './customer/turn-access';
import { TurnCredentials } from './customer/turn-credentials';
import { DrainingMiddleware } from './customer/draining.middleware';
import { CONSTRAINT_ERRORS } from '../platform/http/errors/constraint-error-registry';
import { CALL_TAG_CONSTRAINTS } from './tags/call-tag.constraints';

CONSTRAINT_ERRORS.register({ ...CALL_TAG_CONSTRAINTS, calls_department_id_fkey: callOfDeletedDepartment });

@Module({
  imports: [
    DiscoveryModule,
    TypeOrmModule.forFeature([Call, Callback]),
    TenancyModule,
    IdentityModule,
    PlansModule,
    PresenceModule,
    CustomersModule,
    DepartmentsModule,
    AccessLinksModule,
    RateLimitModule,
  ],
  controllers: [
    CallsController,
    CustomerHistoryController,
    EditCallController,
    CallPartsController,
    ChatController,
    CallTagsController,
    ManagerNotesController,
    PublicCallsController,
    CallbacksController,
  ],
  providers: [
    DeadlineMetric,
    ChatMessages,
    ChatPersonalData,
    DeviceReports,
    JoinedCalls,
    QualityReports,
    RecordingStates,
    CallbackEndings,
    CallbackMailWorker,
    CallbackMails,
    CallbackPersonalData,
    CallbackSubscribers,
    CallbackSweeper,
    Callbacks,
    CustomerCallbacks,
    InviteCustomer,
    RequestCallback,
    ResumeCall,
    ResumeLinks,
    ReturnToCall,
    StaffCallActions,
    CallAccess,
    UpdateCall,
    Absence,
    AddressLimit,
    CallWriter,
    AssignableAgents,
    AssignCall,
    CallList,
    CallParts,
    CallTags,
    CallTransitions,
    TransitionEffects,
    CustomerArrivals,
    CustomerCallActions,
    EditCall,
    DueOverflows,
    EndOverflow,
    OverflowSweeper,
    LineEntries,
    LineEntrySweeper,
    LinePresenceSweeper,
    CallMetrics,
    CallPersonalData,
    CustomerTokens,
    CancelDepartmentCalls,
    ClosingCalls,
    ClosingSweeper,
    HoldCall,
    IdempotencyKeys,
    JoinQueue,
    SiteOrigins,
    LearnedWaitsCache,
    WaitLearner,
    DepartmentQueues,
    ManagerNotes,
    Reconnection,
    Queue,
    RequeueCall,
    RequeueCallsOfInactiveAgents,
    CallSweeper,
    RateCall,
    TakeCall,
    TurnAccess,
    TurnCredentials,
    WrapUpTimes,
  ],
  exports: [
    ChatMessages,
    DeviceReports,
    JoinedCalls,
    QualityReports,
    RecordingStates,
    CallbackSubscribers,
    InviteCustomer,
    RequestCallback,
    ReturnToCall,
    StaffCallActions,
    CallAccess,
    UpdateCall,
    Absence,
    AssignableAgents,
    DepartmentQueues,
    CallList,
    CallTransitions,
    ClosingCalls,
    CustomerArrivals,
    CustomerCallActions,
    CustomerTokens,
    HoldCall,
    Reconnection,
    Queue,
    TakeCall,
    TransitionEffects,
    TurnCredentials,
    WrapUpTimes,
  ],
})
export class CallsModule implements NestModule {
  configure(consumer: MiddlewareConsumer): void {
    consumer
      .apply(DrainingMiddleware)
      .forRoutes({ path: 'api/v1/call/:token/join', method: RequestMethod.POST });
  }
}
