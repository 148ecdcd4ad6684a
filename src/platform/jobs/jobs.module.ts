import { Global, Module } from '@nestjs/common';
import { OutboundGate } from '../outbound/outbound-gate';
import { Jobs } from './jobs';
import { Retention } from './retention';
import { TaskIntervals } from './task-intervals';

@Global()
@Module({
  providers: [Jobs, OutboundGate, Retention, TaskIntervals],
  exports: [Jobs, OutboundGate, Retention, TaskIntervals],
})
export class JobsModule {}
