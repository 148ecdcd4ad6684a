import { Global, Module } from '@nestjs/common';
import { DiscoveryModule } from '@nestjs/core';
import { BackgroundListeners } from './background-listeners';
import { EventBus } from './event-bus';

@Global()
@Module({
  imports: [DiscoveryModule],
  providers: [BackgroundListeners, EventBus],
  exports: [EventBus],
})
export class EventsModule {}
