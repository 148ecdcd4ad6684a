import { addAbortSignal } from 'node:stream';
import { Inject, Injectable, type OnApplicationShutdown } from '@nestjs/common';
import type { Pool, PoolClient } from 'pg';
import { to as copyTo } from 'pg-copy-streams';
import { CONFIG, type Config } from '../platform/config/config';
import { createDedicatedPool } from '../platform/database/connections/dedicated-pool';
import { largeReadPlaces } from '../platform/database/connections/large-reads';
import { CsvLineEndings } from './csv-line-endings';
import { inlineValues } from './inline-values';
import { scopeStatement } from '../platform/database/scope';
import type { Statement } from '../platform/database/statement';

/** A copy takes as long as its client reads; the signal ends it. */
const NO_TIMEOUT = 0;

/**
 * Settings of a copy: a large one takes longer than the session's limits allow, JIT compilation would delay its first
 * row, the backend has to detect on its own that the client is gone, and a copy must not use several processors.
 */
const COPY_SETTINGS = `SELECT set_config('statement_timeout', '1h', true),
  set_config('client_connection_check_interval', '1s', true), set_config('jit', 'off', true),
  set_config('max_parallel_workers_per_gather', '0', true)`;

/** What is between the cells of a row. */
export type CsvSeparator = ',' | ';';

const ignore = () => {};

/**
 * Streams the rows of a query as CSV that PostgreSQL formats (COPY … TO STDOUT), without an object per row. Copies have
 * connections of their own, since one cannot share a pipelined connection, and closes idle ones after some seconds.
 */
@Injectable()
export class CopyOut implements OnApplicationShutdown {
  private readonly pool: Pool;

  constructor(@Inject(CONFIG) config: Config) {
    this.pool = createDedicatedPool(config, 'exports', NO_TIMEOUT, largeReadPlaces(config));
  }

  async onApplicationShutdown(): Promise<void> {
    await this.pool.end();
  }

  /**
   * The rows of a SELECT within the tenant's scope, as CSV with a header (RFC 4180) and `separator` between cells. The
   * generator holds a connection from its first step until it ends, fails, is aborted or is returned early. The connection
   * is closed instead of reused unless all rows were read.
   * @throws the signal's reason, or the error of the database
   */
  async *csv(
    tenantId: string,
    statement: Statement,
    separator: CsvSeparator,
    signal: AbortSignal,
  ): AsyncGenerator<Buffer, void> {
    const client = await this.pool.connect();
    // A connection that breaks rejects its query and also emits 'error', which would end the process.
    client.on('error', ignore);
    let isComplete = false;
    try {
      signal.throwIfAborted();
      await client.query('BEGIN READ ONLY');
      await client.query(scopeStatement({ tenantId }));
      await client.query(COPY_SETTINGS);
      yield* copy(client, copyOf(statement, separator), signal);
      // All rows are sent: a failing COMMIT of a read-only transaction changes nothing about them.
      isComplete = await client.query('COMMIT').then(
        () => true,
        () => false,
      );
    } catch (error) {
      signal.throwIfAborted();
      throw error;
    } finally {
      if (isComplete) client.off('error', ignore);
      client.release(!isComplete);
    }
  }
}

const copyOf = (statement: Statement, separator: CsvSeparator): string =>
  `COPY (${inlineValues(statement)}) TO STDOUT (FORMAT csv, HEADER, DELIMITER '${separator}')`;

async function* copy(client: PoolClient, copyStatement: string, signal: AbortSignal): AsyncGenerator<Buffer> {
  const lineEndings = new CsvLineEndings();
  const rows = copyTo(copyStatement);
  // An aborted copy still emits 'error' when its connection ends.
  rows.on('error', ignore);
  client.query(rows);
  for await (const chunk of addAbortSignal(signal, rows)) yield lineEndings.convert(chunk as Buffer);
}
