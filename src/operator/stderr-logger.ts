import { ConsoleLogger, type LogLevel } from '@nestjs/common';

const QUIET: LogLevel[] = ['fatal', 'error', 'warn'];
/** By LOG_LEVEL. What the service tells of itself at `info` is no command's news. */
const LEVELS: Record<string, LogLevel[]> = {
  silent: [],
  fatal: ['fatal'],
  error: ['fatal', 'error'],
  debug: [...QUIET, 'log', 'debug'],
  trace: [...QUIET, 'log', 'debug', 'verbose'],
};

/** Logs of a command, which keep to standard error: its output may be another program's input. */
export class StderrLogger extends ConsoleLogger {
  constructor(level: string | undefined) {
    super({ prefix: 'cli', logLevels: LEVELS[level ?? ''] ?? QUIET, colors: process.stderr.isTTY });
  }

  protected override printMessages(
    ...[messages, context, level, , stack, params]: Parameters<ConsoleLogger['printMessages']>
  ): void {
    super.printMessages(messages, context, level, 'stderr', stack, params);
  }
}
