import { Module } from '@nestjs/common';
import { Connections } from './connections';
import { Instance } from './instance';
import { PresenceService } from './presence';
import { PresencePeriods } from './presence-periods';

@Module({
  providers: [Connections, Instance, PresencePeriods, PresenceService],
  exports: [Connections, Instance, PresenceService],
})
export class PresenceModule {}
