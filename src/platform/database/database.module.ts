import { Global, Module } from '@nestjs/common';
import { TypeOrmModule } from '@nestjs/typeorm';
import { CONFIG, type Config } from '../config/config';
import { Database } from './database';
import { sessionOptions } from './session-options';

@Global()
@Module({
  imports: [
    TypeOrmModule.forRootAsync({
      inject: [CONFIG],
      useFactory: (config: Config) => ({
        type: 'postgres',
        url: config.databaseUrl,
        applicationName: 'video-call-queue',
        installExtensions: false,
        autoLoadEntities: true,
        poolSize: config.databasePoolSize,
        connectTimeoutMS: 5000,
        retryAttempts: 3,
        retryDelay: 1000,
        extra: { options: sessionOptions(config.databaseRole), pipeline: true },
      }),
    }),
  ],
  providers: [Database],
  exports: [Database],
})
export class DatabaseModule {}
