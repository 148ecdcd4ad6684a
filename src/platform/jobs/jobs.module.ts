import { Global, Module } from '@nestjs/common';
import { PgBoss } from 'pg-boss';
import { CONFIG } from '../config/config';
import { InstallationMonitor } from '../database/installation/installation-monitor';
import { InstallationPause } from '../database/installation/installation-pause';
import { OutboundGate } from '../database/installation/outbound-gate';
import { createPgBoss } from './create-pg-boss';
import { JobMetrics } from './job-metrics';
import { Jobs } from './jobs';
import { Retention } from './retention';
import { TaskIntervals } from './task-intervals';

@Global()
@Module({
  providers: [
    { provide: PgBoss, inject: [CONFIG], useFactory: createPgBoss },
    InstallationMonitor,
    InstallationPause,
    JobMetrics,
    Jobs,
    OutboundGate,
    Retention,
    TaskIntervals,
  ],
  exports: [InstallationPause, Jobs, OutboundGate, Retention, TaskIntervals],
})
export class JobsModule {}
