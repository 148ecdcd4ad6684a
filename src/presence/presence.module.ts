import { Module } from '@nestjs/common';
import { AgentLocks } from './agent-locks';
import { Connections } from './connections';
import { DeadInstanceConnections } from './dead-instance-connections';
import { DeadInstanceLeases } from './dead-instance-leases';
import { InstanceHeartbeat } from './instance-heartbeat';

@Module({
  providers: [AgentLocks, Connections, DeadInstanceConnections, DeadInstanceLeases, InstanceHeartbeat],
  exports: [AgentLocks, Connections, DeadInstanceConnections, DeadInstanceLeases, InstanceHeartbeat],
})
export class PresenceModule {}
