import { Injectable } from '@nestjs/common';
import { CallStateCache } from '../signals/call-state-cache';
import { CallAgentRooms } from './call-agent-rooms';
import { ClosingBroadcast } from './closing-broadcast';
import { DeviceBroadcast } from './device-broadcast';
import { HolderBroadcast } from './holder-broadcast';
import { QueueBroadcast } from './queue-broadcast';
import { StaffBroadcast } from './staff-broadcast';
import { TenantBroadcast } from './tenant-broadcast';

/** All that listen to messages of the other instances. */
@Injectable()
export class InstanceListeners {
  private readonly listeners: readonly { listen(): void }[];

  constructor(
    queues: QueueBroadcast,
    staff: StaffBroadcast,
    tenants: TenantBroadcast,
    callAgents: CallAgentRooms,
    callStates: CallStateCache,
    closings: ClosingBroadcast,
    devices: DeviceBroadcast,
    holders: HolderBroadcast,
  ) {
    this.listeners = [queues, staff, tenants, callAgents, callStates, closings, devices, holders];
  }

  /** Called when the socket server is up. */
  listen(): void {
    for (const listener of this.listeners) listener.listen();
  }
}
