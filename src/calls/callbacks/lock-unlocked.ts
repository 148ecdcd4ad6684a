import type { Transaction } from '../../platform/database/transaction';
import { Call } from '../call.entity';

/** Locks the call. @returns undefined if another transaction has locked it: the next sweep tries again */
export function lockUnlocked(tx: Transaction, callId: string): Promise<Call | undefined> {
  return tx.one<Call>(
    `SELECT ${tx.columnsOf(Call, 'c')} FROM calls c WHERE c.id = $1 FOR NO KEY UPDATE SKIP LOCKED`,
    [callId],
  );
}
