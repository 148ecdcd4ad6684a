import { addAbortSignal } from 'node:stream';
import { Inject, Injectable } from '@nestjs/common';
import type { Pool, PoolClient } from 'pg';
import { to as copyTo } from 'pg-copy-streams';
import { DataSource } from 'typeorm';
import { CsvLineEndings } from './csv-line-endings';
import { inlineValues } from './inline-values';
import { PoolAdmission } from './connections/pool-admission';
import { scopeStatement } from './scope';
import type { Statement } from './statement';
import { setQueryTimeout } from './connections/time-limits';

/**
 * Settings of a copy: a large one takes longer than the session's limits allow, JIT compilation would delay its first
 * row, and the backend has to detect on its own that the client is gone.
 */
const COPY_SETTINGS = `SELECT set_config('statement_timeout', '1h', true),
  set_config('client_connection_check_interval', '1s', true), set_config('jit', 'off', true)`;

/** What is between the cells of a row. */
export type CsvSeparator = ',' | ';';

const ignore = () => {};

/** Streams the rows of a query as CSV that PostgreSQL formats (COPY … TO STDOUT), without an object per row. */
@Injectable()
export class CopyOut {
  private readonly pool: Pool;

  constructor(
    @Inject(DataSource) dataSource: DataSource,
    private readonly admission: PoolAdmission,
  ) {
    this.pool = (dataSource.driver as unknown as { master: Pool }).master;
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
    const leave = await this.admission.acquire(tenantId);
    try {
      yield* this.copyRows(tenantId, copyOf(statement, separator), signal);
    } finally {
      leave();
    }
  }

  private async *copyRows(
    tenantId: string,
    copyStatement: string,
    signal: AbortSignal,
  ): AsyncGenerator<Buffer, void> {
    const client = await this.pool.connect();
    // A copy takes as long as its client reads; the signal ends it.
    setQueryTimeout(client, 0);
    // A connection that breaks rejects its query and also emits 'error', which would end the process.
    client.on('error', ignore);
    let isComplete = false;
    try {
      signal.throwIfAborted();
      await begin(client, tenantId);
      yield* copy(client, copyStatement, signal);
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
      setPipelined(client, isComplete);
      client.release(!isComplete);
    }
  }
}

async function begin(client: PoolClient, tenantId: string): Promise<void> {
  await Promise.all([
    client.query('BEGIN READ ONLY'),
    client.query(scopeStatement({ tenantId })),
    client.query(COPY_SETTINGS),
  ]);
}

const copyOf = (statement: Statement, separator: CsvSeparator): string =>
  `COPY (${inlineValues(statement)}) TO STDOUT (FORMAT csv, HEADER, DELIMITER '${separator}')`;

async function* copy(client: PoolClient, copyStatement: string, signal: AbortSignal): AsyncGenerator<Buffer> {
  const lineEndings = new CsvLineEndings();
  const rows = copyTo(copyStatement);
  // An aborted copy still emits 'error' when its connection ends.
  rows.on('error', ignore);
  setPipelined(client, false);
  client.query(rows);
  for await (const chunk of addAbortSignal(signal, rows)) yield lineEndings.convert(chunk as Buffer);
}

/**
 * pg refuses a copy on a pipelined client, because the copy takes over the socket; here no other query is in
 * progress. A client that is not pipelined is also closed without waiting for its queries.
 */
function setPipelined(client: PoolClient, isPipelined: boolean): void {
  (client as unknown as { pipeline: boolean }).pipeline = isPipelined;
}
