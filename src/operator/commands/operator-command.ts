import { Injectable } from '@nestjs/common';
import { OperatorApplication } from '../operator-application';
import { OutputCommand } from './output-command';

export type { OutputOptions } from './output-command';

/** Base of the commands that need a migrated database. */
@Injectable()
export abstract class OperatorCommand extends OutputCommand {
  constructor(protected readonly application: OperatorApplication) {
    super();
  }
}
