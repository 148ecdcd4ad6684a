import { Module } from '@nestjs/common';
import { CallsModule } from '../calls/calls.module';
import { IdentityModule } from '../identity/identity.module';
import { PlansModule } from '../plans/plans.module';
import { ConnectionAttempts } from './adapter/connection-attempts';
import { PresenceModule } from '../presence/presence.module';
import { RoutingModule } from '../routing/routing.module';
import { TenancyModule } from '../tenancy/tenancy.module';
import { AlertBroadcast } from './broadcasts/alert-broadcast';
import { CallAgentRooms } from './broadcasts/call-agent-rooms';
import { CallBroadcast } from './broadcasts/call-broadcast';
import { DepartmentBroadcast } from './broadcasts/department-broadcast';
import { EstimateBroadcast } from './broadcasts/estimate-broadcast';
import { ClosingBroadcast } from './broadcasts/closing-broadcast';
import { DeviceBroadcast } from './broadcasts/device-broadcast';
import { CallbackActions } from './callback-actions';
import { ChatFileBroadcast } from './broadcasts/chat-file-broadcast';
import { HolderBroadcast } from './broadcasts/holder-broadcast';
import { InstanceListeners } from './broadcasts/instance-listeners';
import { PeerReadyBroadcast } from './broadcasts/peer-ready-broadcast';
import { EventLimiter } from './limits/event-limiter';
import { SocketOwners } from './limits/socket-owners';
import { CustomerLeases } from './leases/customer-leases';
import { DepartmentWatch } from './department-watch';
import { OfferActions } from './offer-actions';
import { OfferBroadcast } from './broadcasts/offer-broadcast';
import { OpeningBroadcast } from './broadcasts/opening-broadcast';
import { OpeningChanges } from './opening-changes';
import { LiveActions } from './live-actions';
import { LostConnections } from './leases/lost-connections';
import { LiveConnections } from './live-connections';
import { LiveGateway } from './live.gateway';
import { NamedLiveGateway } from './named-live.gateway';
import { LiveSockets } from './live-sockets';
import { PositionBroadcast } from './broadcasts/position-broadcast';
import { QueueBroadcast } from './broadcasts/queue-broadcast';
import { QueuePositionSender } from './queue-position-sender';
import { QueueSummaries } from './queue-summaries';
import { DeadInstances } from './leases/dead-instances';
import { RequestedSnapshots } from './snapshots/requested-snapshots';
import { RoomSync } from './room-sync';
import { Signalling } from './signalling';
import { CallStateCache } from './signals/call-state-cache';
import { CustomerPages } from './signals/customer-pages';
import { HolderActions } from './signals/holder-actions';
import { Snapshots } from './snapshots/snapshots';
import { SocketAuthentication } from './socket-authentication';
import { SocketServer } from './socket-server';
import { StaffBroadcast } from './broadcasts/staff-broadcast';
import { StaffCallBroadcast } from './broadcasts/staff-call-broadcast';
import { TenantBroadcast } from './broadcasts/tenant-broadcast';
import { SocketMetric } from './socket-metric';
import { SocketReconciler } from './socket-reconciler';
import { ChatActions } from './conversation/chat-actions';
import { EventBudgets } from './conversation/event-budgets';
import { MediaActions } from './conversation/media-actions';
import { RecordingBroadcast } from './conversation/recording-broadcast';

@Module({
  imports: [TenancyModule, PlansModule, IdentityModule, PresenceModule, CallsModule, RoutingModule],
  providers: [
    AlertBroadcast,
    CallAgentRooms,
    CallBroadcast,
    CallStateCache,
    CallbackActions,
    ClosingBroadcast,
    CustomerLeases,
    CustomerPages,
    DepartmentWatch,
    DeviceBroadcast,
    ConnectionAttempts,
    DepartmentBroadcast,
    EstimateBroadcast,
    EventLimiter,
    HolderActions,
    ChatFileBroadcast,
    HolderBroadcast,
    InstanceListeners,
    PeerReadyBroadcast,
    SocketOwners,
    LiveActions,
    OfferActions,
    OfferBroadcast,
    OpeningBroadcast,
    OpeningChanges,
    LiveConnections,
    LiveGateway,
    NamedLiveGateway,
    LiveSockets,
    PositionBroadcast,
    QueueBroadcast,
    QueuePositionSender,
    QueueSummaries,
    DeadInstances,
    LostConnections,
    RequestedSnapshots,
    RoomSync,
    Signalling,
    Snapshots,
    SocketAuthentication,
    SocketServer,
    SocketMetric,
    StaffBroadcast,
    StaffCallBroadcast,
    TenantBroadcast,
    SocketReconciler,
    ChatActions,
    EventBudgets,
    MediaActions,
    RecordingBroadcast,
  ],
})
export class LiveModule {}
