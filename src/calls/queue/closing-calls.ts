import { Injectable } from '@nestjs/common';
import { Batcher } from '../batcher';
import { Database } from '../../platform/database/database';
import type { Transaction } from '../../platform/database/transaction';
import { Call } from '../call.entity';

/**
 * Whether the closing of their department ends the calls `c` of the company $1: appointments are served whatever
 * the hour, and customers who are called back are invited from the next opening on.
 */
const ENDS_AT_CLOSING = `c.tenant_id = $1 AND c.status = 'queued'
  AND c.priority_since IS NULL AND c.priority_deadline IS NULL
  AND (c.callback_status IS NULL OR c.callback_status NOT IN ('requested', 'invited'))`;

/** Those of the department $2. */
const CLOSING_SQL = `${ENDS_AT_CLOSING} AND c.department_id = $2`;

/** The closing that was announced, and ends a waiting call. */
export interface ClosingNotice {
  closes_at: Date;
  /** Whether the customer can request a callback. */
  callback_enabled: boolean;
}

/** Reads the calls that the closing of their department ends. */
@Injectable()
export class ClosingCalls {
  private readonly notices = new Batcher<string, ClosingNotice | undefined>((tenantId, ids) =>
    this.readNotices(tenantId, ids),
  );

  constructor(private readonly database: Database) {}

  /**
   * The ids of the calls, and whether their customers can request a callback. PostgreSQL joins the ids to one text: reading
   * thousands of rows would take the event loop several times as long.
   */
  async of(tenantId: string, departmentId: string): Promise<{ ids: string[]; callback_enabled: boolean }> {
    const [[row]] = await this.database.readTenant<[{ ids: string | null; callback_enabled: boolean }]>(
      tenantId,
      [
        {
          text: `SELECT d.callback_enabled,
              (SELECT string_agg(c.id::text, ',') FROM calls c WHERE ${CLOSING_SQL}) AS ids
            FROM departments d WHERE d.tenant_id = $1 AND d.id = $2`,
          values: [tenantId, departmentId],
        },
      ],
    );
    return { ids: row?.ids?.split(',') ?? [], callback_enabled: row?.callback_enabled ?? false };
  }

  /**
   * For a customer whom the announcement may not have reached. Those who ask at the same moment are read together.
   * @returns undefined if no closing was announced, or it does not end the call
   */
  noticeOf(tenantId: string, callId: string): Promise<ClosingNotice | undefined> {
    return this.notices.run(tenantId, callId);
  }

  private async readNotices(tenantId: string, callIds: string[]): Promise<(ClosingNotice | undefined)[]> {
    const [rows] = await this.database.readTenant<[ClosingNotice & { id: string }]>(tenantId, [
      {
        text: `SELECT c.id, d.closing_at AS closes_at, d.callback_enabled
          FROM calls c JOIN departments d ON d.id = c.department_id
          WHERE ${ENDS_AT_CLOSING} AND c.id = ANY ($2)
            AND d.closing_deadline = d.closing_at AND c.inserted_at < d.closing_at`,
        values: [tenantId, callIds],
      },
    ]);
    const notices = new Map(rows.map(({ id, ...notice }) => [id, notice]));
    return callIds.map((id) => notices.get(id));
  }

  /** Locks some of the calls that joined before the closing, in the order of their ids, until the transaction ends. */
  lock(tx: Transaction, closing: { tenantId: string; departmentId: string; at: Date }, limit: number) {
    return tx.query<Call>(
      `SELECT ${tx.columnsOf(Call, 'c')} FROM calls c WHERE ${CLOSING_SQL} AND c.inserted_at < $3
       ORDER BY c.id LIMIT $4 FOR NO KEY UPDATE`,
      [closing.tenantId, closing.departmentId, closing.at, limit],
    );
  }
}
