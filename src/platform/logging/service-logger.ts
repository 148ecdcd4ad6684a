import { Inject, Injectable, type OnApplicationShutdown } from '@nestjs/common';
import { Logger, type Params, PARAMS_PROVIDER_TOKEN, PinoLogger } from 'nestjs-pino';
import { Counter } from 'prom-client';
import { DatabaseBusyError } from '../database/connections/pool-admission';
import { ClientLeftError, ConnectionLimitError } from '../database/connections/semaphore';
import { isLockTimeout } from '../database/connections/statement-errors';
import { Metrics } from '../metrics/metrics';

const SUMMARY_INTERVAL_MS = 60_000;

/** `limit`: too much of one kind, such as large reads, was under way. */
type BusyReason = 'connection' | 'lock' | 'limit';

/**
 * The logger of the service. That something did not get a connection of the database or a lock in time, or met another limit,
 * is no fault: it is logged as one warning a minute instead of an error each time, and the former two are counted. That a client
 * has left is not logged.
 */
@Injectable()
export class ServiceLogger extends Logger implements OnApplicationShutdown {
  private readonly total: Counter<'reason'>;
  /** Since the last warning, by reason and by the class that reported them. */
  private counts: Partial<Record<string, number>> = {};
  private summary: NodeJS.Timeout | undefined;

  constructor(logger: PinoLogger, @Inject(PARAMS_PROVIDER_TOKEN) params: Params, { registry }: Metrics) {
    super(logger, params);
    this.total = new Counter({
      name: 'vcq_busy_total',
      help: 'Requests, socket events and background work that got no database connection or lock in time',
      labelNames: ['reason'],
      registers: [registry],
    });
    for (const reason of ['connection', 'lock'] satisfies BusyReason[]) this.total.inc({ reason }, 0);
  }

  override error(message: unknown, ...optionalParams: unknown[]): void {
    if (!this.isBusy(message, optionalParams)) super.error(message, ...optionalParams);
  }

  override warn(message: unknown, ...optionalParams: unknown[]): void {
    if (!this.isBusy(message, optionalParams)) super.warn(message, ...optionalParams);
  }

  onApplicationShutdown(): void {
    if (this.summary) this.logSummary();
  }

  /** Whether the message was counted instead, or need not be logged. */
  private isBusy(message: unknown, optionalParams: unknown[]): boolean {
    if (message instanceof ClientLeftError) return true;
    const reason = busyReason(message);
    if (reason) this.count(reason, optionalParams.at(-1));
    return reason !== undefined;
  }

  private count(reason: BusyReason, context: unknown): void {
    if (reason !== 'limit') this.total.inc({ reason });
    const key = `${reason} ${String(context)}`;
    this.counts[key] = (this.counts[key] ?? 0) + 1;
    this.summary ??= setTimeout(() => this.logSummary(), SUMMARY_INTERVAL_MS).unref();
  }

  private logSummary(): void {
    clearTimeout(this.summary);
    const { counts } = this;
    [this.summary, this.counts] = [undefined, {}];
    this.warn(
      { counts },
      'The service was busy: connections, locks or places did not become free in time',
      'Busy',
    );
  }
}

function busyReason(error: unknown): BusyReason | undefined {
  if (!(error instanceof Error)) return undefined;
  if ([error, error.cause].some(isLockTimeout)) return 'lock';
  if (error instanceof DatabaseBusyError) return 'connection';
  return error instanceof ConnectionLimitError ? 'limit' : undefined;
}
