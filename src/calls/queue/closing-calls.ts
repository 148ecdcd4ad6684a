import { Injectable } from '@nestjs/common';
import { Database } from '../../platform/database/database';
import type { Transaction } from '../../platform/database/transaction';
import { Call } from '../call.entity';

/**
 * The waiting calls `c` of department $2 that its closing ends: appointments are served whatever
 * the hour, and customers who are called back are invited from the next opening on.
 */
const CLOSING_SQL = `c.tenant_id = $1 AND c.department_id = $2 AND c.status = 'queued'
  AND c.priority_since IS NULL AND c.priority_deadline IS NULL
  AND (c.callback_status IS NULL OR c.callback_status NOT IN ('requested', 'invited'))`;

/** Reads the calls that the closing of their department ends. */
@Injectable()
export class ClosingCalls {
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

  /** Locks some of the calls that joined before the closing, in the order of their ids, until the transaction ends. */
  lock(tx: Transaction, closing: { tenantId: string; departmentId: string; at: Date }, limit: number) {
    return tx.query<Call>(
      `SELECT ${tx.columnsOf(Call, 'c')} FROM calls c WHERE ${CLOSING_SQL} AND c.inserted_at < $3
       ORDER BY c.id LIMIT $4 FOR NO KEY UPDATE`,
      [closing.tenantId, closing.departmentId, closing.at, limit],
    );
  }
}
