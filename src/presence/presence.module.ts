import { Module } from '@nestjs/common';
import { Connections } from './connections';
import { Instance } from './instance';
import { PresenceService } from './presence';

@Module({
  providers: [Connections, Instance, PresenceService],
  exports: [Connections, Instance, PresenceService],
})
export class PresenceModule {}
