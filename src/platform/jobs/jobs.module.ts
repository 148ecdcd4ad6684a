import { Global, Module } from '@nestjs/common';
import { Jobs } from './jobs';
import { Retention } from './retention';
import { TaskIntervals } from './task-intervals';

@Global()
@Module({ providers: [Jobs, Retention, TaskIntervals], exports: [Jobs, Retention, TaskIntervals] })
export class JobsModule {}
