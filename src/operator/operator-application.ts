import { Injectable, type Type } from '@nestjs/common';
import { NestFactory } from '@nestjs/core';
import { loadConfig } from '../platform/config/config';
import { requireSchema } from './migration/schema-state';
import { openDatabase } from './operator-database';
import { OperatorModule } from './operator.module';

/**
 * Opens the database and the service's providers for one command. A command with invalid arguments opens nothing.
 */
@Injectable()
export class OperatorApplication {
  /**
   * Calls `work` with a provider of OperatorModule. The database must have been migrated.
   * @throws ConfigError, SchemaBehindError, errors of the database, and what `work` throws
   */
  async use<Service, Result>(
    service: Type<Service>,
    work: (service: Service) => Promise<Result>,
  ): Promise<Result> {
    const config = loadConfig(process.env);
    const database = await openDatabase(config);
    try {
      const databaseRole = await requireSchema(database.url, { role: config.requestedRole });
      const module = OperatorModule.with({ ...config, databaseUrl: database.url, databaseRole });
      const application = await NestFactory.createApplicationContext(module, { abortOnError: false });
      try {
        return await work(application.get(service));
      } finally {
        await application.close();
      }
    } finally {
      await database.close();
    }
  }
}
