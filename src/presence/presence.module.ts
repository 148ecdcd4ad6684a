import { Module } from '@nestjs/common';
import { Connections } from './connections';
import { InstanceHeartbeat } from './instance-heartbeat';
import { PresenceService } from './presence.service';
import { PresencePeriods } from './presence-periods';

@Module({
  providers: [Connections, InstanceHeartbeat, PresencePeriods, PresenceService],
  exports: [Connections, InstanceHeartbeat, PresenceService],
})
export class PresenceModule {}
