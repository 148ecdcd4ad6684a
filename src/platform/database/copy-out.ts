import { addAbortSignal } from 'node:stream';
import { Inject, Injectable } from '@nestjs/common';
import type { Pool, PoolClient } from 'pg';
import { to as copyTo } from 'pg-copy-streams';
import { DataSource } from 'typeorm';
import { CsvRowEnds } from './csv-row-ends';
import { scopeStatement, type Statement } from './database';
import { inlineValues } from './inline-values';

/**
 * In place of the session's own: a large copy takes its time, its first row shall not wait until a compiler has made
 * the others quicker, and a backend whose client is gone notices by itself.
 */
const LIMITS = `SELECT set_config('statement_timeout', '1h', true),
  set_config('client_connection_check_interval', '1s', true), set_config('jit', 'off', true)`;

const ignore = () => {};

/** Has PostgreSQL write rows as CSV, which takes neither their objects nor their memory. */
@Injectable()
export class CopyOut {
  private readonly pool: Pool;

  constructor(@Inject(DataSource) dataSource: DataSource) {
    this.pool = (dataSource.driver as unknown as { master: Pool }).master;
  }

  /**
   * The rows that a SELECT gives within the tenant's scope, as CSV (RFC 4180) with a header. A connection is held from the
   * first step to the end, which may be an error, the signal, or that nobody takes any more; one whose rows were not taken
   * to the end is closed and never used again.
   * @throws the signal's reason, or what the database says
   */
  async *csv(tenantId: string, statement: Statement, signal: AbortSignal): AsyncGenerator<Buffer, void> {
    const client = await this.pool.connect();
    // A connection that breaks says so twice, as in Database.read.
    client.on('error', ignore);
    let isWhole = false;
    try {
      signal.throwIfAborted();
      await begin(client, tenantId);
      yield* copy(client, statement, signal);
      // All rows are out: a commit that fails takes none of them back.
      isWhole = await client.query('COMMIT').then(
        () => true,
        () => false,
      );
    } catch (error) {
      signal.throwIfAborted();
      throw error;
    } finally {
      if (isWhole) client.off('error', ignore);
      inPipeline(client, isWhole);
      client.release(!isWhole);
    }
  }
}

async function begin(client: PoolClient, tenantId: string): Promise<void> {
  await Promise.all([
    client.query('BEGIN READ ONLY'),
    client.query(scopeStatement({ tenantId })),
    client.query(LIMITS),
  ]);
}

async function* copy(client: PoolClient, statement: Statement, signal: AbortSignal): AsyncGenerator<Buffer> {
  const rowEnds = new CsvRowEnds();
  const rows = copyTo(`COPY (${inlineValues(statement)}) TO STDOUT (FORMAT csv, HEADER)`);
  // A copy that was given up still hears of its connection's end.
  rows.on('error', ignore);
  inPipeline(client, false);
  client.query(rows);
  for await (const chunk of addAbortSignal(signal, rows)) yield rowEnds.convert(chunk as Buffer);
}

/**
 * A copy takes the connection's socket over, so pg refuses it on a pipelined client. Nothing else is on its way here.
 * It also closes such a client without waiting for what is under way.
 */
function inPipeline(client: PoolClient, isPipelined: boolean): void {
  (client as unknown as { pipeline: boolean }).pipeline = isPipelined;
}
