import { CommandFactory } from 'nest-commander';
import { CommandsModule } from './commands/commands.module';
import { explainError } from './explain-error';
import { StderrLogger } from './stderr-logger';

/**
 * Runs the command that the process's arguments name and lets the process end. One that fails says why in a line
 * on standard error and exits with 1, as does one that is not understood.
 * @param explainFailure what to say of failures that are no command's own
 */
export async function runCommand(explainFailure: (error: unknown) => string): Promise<void> {
  await CommandFactory.run(CommandsModule, {
    logger: new StderrLogger(process.env.LOG_LEVEL),
    serviceErrorHandler: (error) => {
      // After a signal it fails for want of its database, which is no news.
      if (process.exitCode === undefined) {
        process.stderr.write(`${explainError(error) ?? explainFailure(error)}\n`);
      }
      // What could not be opened properly might keep the process.
      process.exit(process.exitCode ?? 1);
    },
  });
}
