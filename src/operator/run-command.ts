import { CommandFactory } from 'nest-commander';
import { CommandsModule } from './commands/commands.module';
import { runAsLongWork } from '../platform/logging/request-context';
import { formatError } from './format-error';
import { StderrLogger } from './stderr-logger';

/**
 * Runs the command given by the process's arguments. If it fails or is unknown, the reason is written to standard error
 * and the process exits with status 1.
 * @param explainFailure formats errors that are not specific to commands
 */
export async function runCommand(explainFailure: (error: unknown) => string): Promise<void> {
  const options = {
    logger: new StderrLogger(process.env.LOG_LEVEL),
    serviceErrorHandler: (error: Error) => {
      // After a signal the command fails because its database was stopped: not worth reporting.
      if (process.exitCode === undefined) {
        process.stderr.write(`${formatError(error) ?? explainFailure(error)}\n`);
      }
      // Resources that failed to open could keep the process alive.
      process.exit(process.exitCode ?? 1);
    },
  };
  await runAsLongWork(() => CommandFactory.run(CommandsModule, options));
}
