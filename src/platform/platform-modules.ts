import { Global, Module } from '@nestjs/common';
import { Clock } from './clock/clock';
import { DatabaseModule } from './database/database.module';
import { EventsModule } from './events/events.module';
import { HttpModule } from './http/http.module';
import { JobsModule } from './jobs/jobs.module';
import { Mailer } from './mail/mailer';
import { ClusterGauges } from './metrics/cluster-gauges';
import { Metrics } from './metrics/metrics';
import { RedisModule } from './redis/redis.module';
import { SecretBox } from './secrets/secret-box';
import { SecretResealer } from './secrets/secret-resealer';
import { StorageModule } from './storage/storage.module';
import { TokensModule } from './tokens/tokens.module';

const SERVICES = [Clock, ClusterGauges, Mailer, Metrics, SecretBox, SecretResealer];

@Global()
@Module({ providers: SERVICES, exports: SERVICES })
class ServicesModule {}

/** The modules that both the service and the operator's commands need. */
export const PLATFORM_MODULES = [
  ServicesModule,
  DatabaseModule,
  RedisModule,
  TokensModule,
  HttpModule,
  JobsModule,
  StorageModule,
  EventsModule,
];
