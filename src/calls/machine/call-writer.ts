import { Injectable } from '@nestjs/common';
import type { Transaction } from '../../platform/database/transaction';
import { Call } from '../call.entity';

/** A call's columns, without those that CallWriter maintains. */
export type CallChanges = Partial<Omit<Call, 'id' | 'tenant_id' | 'version' | 'updated_at'>>;

/**
 * The only writer of `calls.version`. Clients compare versions to detect missed events, so a change that clients see
 * increments it exactly once. A merge of two customers is the exception: it moves thousands of calls, and clients learn
 * of it from the customer. The caller holds the call's row lock.
 */
@Injectable()
export class CallWriter {
  /** Saves changes that clients see, without waiting. @returns the call with its new version */
  saveVisible(tx: Transaction, call: Call, changes: CallChanges, now: Date): Call {
    return this.update(tx, call, { ...changes, version: call.version + 1, updated_at: now });
  }

  /** Saves changes that clients never see, such as an absence deadline, without waiting: the version stays. */
  saveInternal(tx: Transaction, call: Call, changes: CallChanges, now: Date): Call {
    return this.update(tx, call, { ...changes, updated_at: now });
  }

  /**
   * Saves the same visible changes to several calls in one statement.
   * @param ids calls of the tenant; the statement locks them
   * @returns the calls with their new versions
   */
  async saveAllVisible(
    tx: Transaction,
    tenantId: string,
    ids: string[],
    changes: CallChanges,
    now: Date,
  ): Promise<Call[]> {
    return this.updateAll(tx, tenantId, ids, changes, now, 1);
  }

  /** As saveAllVisible, for changes that clients never see. */
  async saveAllInternal(
    tx: Transaction,
    tenantId: string,
    ids: string[],
    changes: CallChanges,
    now: Date,
  ): Promise<Call[]> {
    return this.updateAll(tx, tenantId, ids, changes, now, 0);
  }

  /**
   * Saves different visible changes to several calls in one statement.
   * @param changed calls that the transaction has locked, with changes of the same columns
   */
  async saveEachVisible(
    tx: Transaction,
    changed: readonly { call: Call; changes: CallChanges }[],
    now: Date,
  ): Promise<void> {
    const assignments = assignmentsOf(changed[0]?.changes ?? {});
    if (assignments === '') return;
    await tx.query(
      `UPDATE calls c SET ${assignments}, version = c.version + 1, updated_at = $2
       FROM jsonb_populate_recordset(NULL::calls, $1) AS new WHERE c.id = new.id`,
      [JSON.stringify(changed.map(({ call: { id }, changes }) => ({ id, ...changes }))), now],
    );
  }

  private async updateAll(
    tx: Transaction,
    tenantId: string,
    ids: string[],
    changes: CallChanges,
    now: Date,
    versions: 0 | 1,
  ): Promise<Call[]> {
    if (ids.length === 0) return [];
    const columns = Object.keys(changes).map((column, index) => `${column} = $${index + 4}`);
    return tx.query<Call>(
      `UPDATE calls SET ${columns.join(', ')}, version = version + ${versions}, updated_at = $3
       WHERE tenant_id = $1 AND id = ANY ($2) RETURNING *`,
      [tenantId, ids, now, ...Object.values(changes)],
    );
  }

  private update(tx: Transaction, call: Call, changes: Partial<Call>): Call {
    tx.send({
      text: `UPDATE calls c SET ${assignmentsOf(changes)}
        FROM jsonb_populate_record(NULL::calls, $3) AS new WHERE c.tenant_id = $1 AND c.id = $2`,
      values: [call.tenant_id, call.id, JSON.stringify(changes)],
    });
    return { ...call, ...changes };
  }
}

/** Of the columns that are not undefined, which JSON leaves out. */
const assignmentsOf = (changes: object): string =>
  Object.entries(changes)
    .filter(([, value]) => value !== undefined)
    .map(([column]) => `${column} = new.${column}`)
    .join(', ');
