import { Inject, Injectable, Logger, type OnApplicationShutdown } from '@nestjs/common';
import { DatabaseError, type Pool } from 'pg';
import { Gauge } from 'prom-client';
import { Clock } from '../clock/clock';
import { CONFIG, type Config } from '../config/config';
import { createDedicatedPool } from '../database/connections/dedicated-pool';
import { Metrics } from './metrics';

/** A gauge about the whole installation, which each instance computes from the database. */
export interface ClusterGauge {
  name: string;
  help: string;
  /**
   * An SQL query across tenants that returns the number `value` and, for a gauge with labels, their values as the array
   * `labels`. An index must answer it, or a table that stays small.
   */
  sql: string;
  /** The names of the labels. */
  labels?: readonly string[];
  /** The values of a single label that have a series even if the query returns no row for them. */
  labelValues?: readonly string[];
  /** For a query that returns a time as seconds since 1970: the gauge is the age of that time. */
  isAge?: boolean;
  /** The value if the query returns no row or NULL; without it there is no series then. */
  empty?: number;
}

/** However often and by however many Prometheus servers an instance is scraped. */
const MAX_AGE_MS = 5000;
/** Of the statement of one gauge. */
const STATEMENT_TIMEOUT_MS = 2500;
/** Gauges whose turn comes later are absent. With the last statement this stays within the 10 s that Prometheus waits. */
const MAX_READS_MS = 5000;

interface Registered {
  definition: ClusterGauge;
  gauge: Gauge;
}

interface Row {
  labels: string[] | null;
  value: number | null;
}

/**
 * The gauges about the whole installation. They are read one by one, at most every 5 s and only when Prometheus asks, on a
 * connection of their own: a scrape neither waits for requests nor delays them. All instances report the same values, so
 * dashboards and alerts take their maximum.
 */
@Injectable()
export class ClusterGauges implements OnApplicationShutdown {
  private readonly logger = new Logger(ClusterGauges.name);
  private readonly pool: Pool;
  private readonly registered: Registered[] = [];
  private reading: Promise<void> | undefined;
  private readAt = -Infinity;

  constructor(
    private readonly metrics: Metrics,
    private readonly clock: Clock,
    @Inject(CONFIG) config: Config,
  ) {
    this.pool = createDedicatedPool(config, 'metrics');
  }

  /** Call it before the application has started. */
  register(definition: ClusterGauge): void {
    const { name, help, labels = [] } = definition;
    const gauge = new Gauge({
      name,
      help,
      labelNames: labels,
      aggregator: 'max',
      registers: [this.metrics.registry],
      collect: () => this.refresh(),
    });
    this.registered.push({ definition, gauge });
  }

  async onApplicationShutdown(): Promise<void> {
    await this.pool.end();
  }

  /** Concurrent scrapes, and the gauges of one scrape, share a query. */
  private refresh(): Promise<void> {
    if (performance.now() - this.readAt < MAX_AGE_MS) return Promise.resolve();
    this.reading ??= this.read().finally(() => {
      this.readAt = performance.now();
      this.reading = undefined;
    });
    return this.reading;
  }

  /** A gauge that cannot be read is absent rather than old, and so are those after it if the database does not answer. */
  private async read(): Promise<void> {
    let end = performance.now() + MAX_READS_MS;
    for (const { definition, gauge } of this.registered) {
      clear(gauge, definition);
      if (performance.now() >= end) continue;
      try {
        this.set(gauge, definition, await this.query(definition));
      } catch (error) {
        if (!(error instanceof DatabaseError) || error.severity === 'FATAL') end = 0;
        this.logger.warn(`The metric ${definition.name} could not be read: ${(error as Error).message}`);
      }
    }
  }

  /** In a transaction, in which the scope and the limit of time apply. */
  private async query({ sql, labels }: ClusterGauge): Promise<Row[]> {
    const column = labels ? 'labels::text[]' : 'NULL::text[]';
    const client = await this.pool.connect();
    try {
      await client.query(
        `BEGIN READ ONLY; SET LOCAL app.system = 'on'; SET LOCAL statement_timeout = ${STATEMENT_TIMEOUT_MS}`,
      );
      const { rows } = await client.query<Row>(
        `SELECT ${column} AS labels, value::float8 AS value FROM (${sql}) AS gauge`,
      );
      await client.query('COMMIT');
      client.release();
      return rows;
    } catch (error) {
      // Its transaction ends with it.
      client.release(true);
      throw error;
    }
  }

  private set(gauge: Gauge, definition: ClusterGauge, rows: Row[]): void {
    const { labels, labelValues = [] } = definition;
    if (!labels) {
      const value = this.valueOf(definition, rows[0]?.value ?? null);
      if (value !== undefined) gauge.set(value);
      return;
    }
    for (const value of labelValues) gauge.labels(value).set(0);
    for (const row of rows) gauge.labels(...(row.labels ?? [])).set(row.value ?? 0);
  }

  private valueOf({ isAge, empty }: ClusterGauge, value: number | null): number | undefined {
    if (value === null) return empty;
    return isAge ? Math.max(0, this.clock.now().getTime() / 1000 - value) : value;
  }
}

/** A gauge without labels would keep a series with the value 0. */
function clear(gauge: Gauge, { labels }: ClusterGauge): void {
  if (labels) gauge.reset();
  else gauge.remove();
}
