import { ConsoleLogger, type LogLevel } from '@nestjs/common';

const DEFAULT_LEVELS: LogLevel[] = ['fatal', 'error', 'warn'];
/** Levels by LOG_LEVEL. `info` is not included: it is about the service, not the command. */
const LEVELS: Record<string, LogLevel[]> = {
  silent: [],
  fatal: ['fatal'],
  error: ['fatal', 'error'],
  debug: [...DEFAULT_LEVELS, 'log', 'debug'],
  trace: [...DEFAULT_LEVELS, 'log', 'debug', 'verbose'],
};

/** Logs to standard error: another program may read the command's standard output. */
export class StderrLogger extends ConsoleLogger {
  constructor(level: string | undefined) {
    super({ prefix: 'cli', logLevels: LEVELS[level ?? ''] ?? DEFAULT_LEVELS, colors: process.stderr.isTTY });
  }

  protected override printMessages(
    ...[messages, context, level, , stack, params]: Parameters<ConsoleLogger['printMessages']>
  ): void {
    super.printMessages(messages, context, level, 'stderr', stack, params);
  }
}
