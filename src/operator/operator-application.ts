import { Injectable, type Type } from '@nestjs/common';
import { NestFactory } from '@nestjs/core';
import { loadConfig } from '../platform/config/config';
import { prepareDatabase } from '../platform/database/prepare-database';
import { openDatabase } from './operator-database';
import { OperatorModule } from './operator.module';

/**
 * Has the service at hand for the length of one piece of work. Nothing is opened before, so that a command
 * which is not understood costs and changes nothing.
 */
@Injectable()
export class OperatorApplication {
  /**
   * Brings the database up to date, as every start does, and gives one of the module's providers to `work`.
   * @throws ConfigError, whatever keeps a service from its database, and what `work` throws
   */
  async use<Service, Result>(
    service: Type<Service>,
    work: (service: Service) => Promise<Result>,
  ): Promise<Result> {
    const config = loadConfig(process.env);
    const database = await openDatabase(config);
    try {
      const databaseRole = await prepareDatabase(database.url);
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
