import { Global, Module } from '@nestjs/common';
import { Jobs } from './jobs';
import { TaskIntervals } from './task-intervals';

@Global()
@Module({ providers: [Jobs, TaskIntervals], exports: [Jobs, TaskIntervals] })
export class JobsModule {}
