import { Module } from '@nestjs/common';
import { Connections } from './connections';
import { DeadInstanceConnections } from './dead-instance-connections';
import { DeadInstanceLeases } from './dead-instance-leases';
import { InstanceHeartbeat } from './instance-heartbeat';
import { PresenceService } from './presence.service';
import { PresencePeriods } from './presence-periods';
import { PresenceRetention } from './presence-retention';

@Module({
  providers: [
    Connections,
    DeadInstanceConnections,
    DeadInstanceLeases,
    InstanceHeartbeat,
    PresencePeriods,
    PresenceRetention,
    PresenceService,
  ],
  exports: [Connections, DeadInstanceConnections, DeadInstanceLeases, InstanceHeartbeat, PresenceService],
})
export class PresenceModule {}
