import { ClockModule } from './clock/clock.module';
import { DatabaseModule } from './database/database.module';
import { EventsModule } from './events/events.module';
import { HttpModule } from './http/http.module';
import { JobsModule } from './jobs/jobs.module';
import { MailModule } from './mail/mail.module';
import { MetricsModule } from './metrics/metrics.module';
import { RedisModule } from './redis/redis.module';
import { SecretsModule } from './secrets/secrets.module';
import { StorageModule } from './storage/storage.module';
import { TokensModule } from './tokens/tokens.module';

/** The modules that both the service and the operator's commands need. */
export const PLATFORM_MODULES = [
  ClockModule,
  MetricsModule,
  DatabaseModule,
  RedisModule,
  SecretsModule,
  TokensModule,
  HttpModule,
  JobsModule,
  MailModule,
  StorageModule,
  EventsModule,
];
