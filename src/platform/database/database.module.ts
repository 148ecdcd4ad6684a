import { Global, Module } from '@nestjs/common';
import { TypeOrmModule } from '@nestjs/typeorm';
import { CONFIG, type Config } from '../config/config';
import { CopyOut } from './copy-out';
import { Database } from './database';
import { ListQuery } from './list-query';
import { sessionSettings } from './session-settings';

const sessionOf = (config: Config) => sessionSettings(config.databaseUrl ?? '', config.databaseRole);

@Global()
@Module({
  imports: [
    TypeOrmModule.forRootAsync({
      inject: [CONFIG],
      useFactory: (config: Config) => ({
        type: 'postgres',
        url: sessionOf(config).url,
        applicationName: 'video-call-queue',
        installExtensions: false,
        autoLoadEntities: true,
        poolSize: config.databasePoolSize,
        connectTimeoutMS: 5000,
        retryAttempts: 3,
        retryDelay: 1000,
        extra: { options: sessionOf(config).options, pipeline: true },
      }),
    }),
  ],
  providers: [Database, CopyOut, ListQuery],
  exports: [Database, CopyOut, ListQuery],
})
export class DatabaseModule {}
