import { Inject, Injectable, type OnApplicationShutdown } from '@nestjs/common';
import { Logger, type Params, PARAMS_PROVIDER_TOKEN, PinoLogger } from 'nestjs-pino';
import { Counter } from 'prom-client';
import { ConnectionLimitError } from '../database/connections/semaphore';
import { Metrics } from '../metrics/metrics';

const SUMMARY_INTERVAL_MS = 60_000;
const LOCK_NOT_AVAILABLE = '55P03';

type BusyReason = 'connection' | 'lock';

/**
 * The logger of the service. That something did not get a connection of the database or a lock in time is no fault: it is
 * counted, and logged as one warning a minute instead of an error each time.
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
    const reason = busyReason(message);
    if (reason) this.count(reason, optionalParams.at(-1));
    else super.error(message, ...optionalParams);
  }

  onApplicationShutdown(): void {
    if (this.summary) this.logSummary();
  }

  private count(reason: BusyReason, context: unknown): void {
    this.total.inc({ reason });
    const key = `${reason} ${String(context)}`;
    this.counts[key] = (this.counts[key] ?? 0) + 1;
    this.summary ??= setTimeout(() => this.logSummary(), SUMMARY_INTERVAL_MS).unref();
  }

  private logSummary(): void {
    clearTimeout(this.summary);
    const { counts } = this;
    [this.summary, this.counts] = [undefined, {}];
    this.warn({ counts }, 'The database was busy: connections or locks did not become free in time', 'Busy');
  }
}

function busyReason(error: unknown): BusyReason | undefined {
  if (!(error instanceof Error)) return undefined;
  const codes = [error, error.cause].map((one) => (one as { code?: unknown } | undefined)?.code);
  if (codes.includes(LOCK_NOT_AVAILABLE)) return 'lock';
  return error instanceof ConnectionLimitError ? 'connection' : undefined;
}
