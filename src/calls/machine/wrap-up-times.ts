import { Injectable } from '@nestjs/common';
import type { Transaction } from '../../platform/database/transaction';

/** A wrap-up that has ended. */
export interface EndedWrapUp {
  /** The part of a call that it followed. */
  part_id: string;
  began_at: Date;
  ended_at: Date;
}

/** Records how long agents wrapped up after their parts of calls. */
@Injectable()
export class WrapUpTimes {
  /** Without waiting. */
  record(tx: Transaction, ended: readonly EndedWrapUp[]): void {
    if (ended.length === 0) return;
    tx.send({
      text: `UPDATE call_parts p SET wrap_up_time = e.seconds
        FROM unnest($1::uuid[], $2::integer[]) AS e (part_id, seconds) WHERE p.id = e.part_id`,
      values: [ended.map(({ part_id }) => part_id), ended.map(secondsOf)],
    });
  }
}

/** Clocks of instances may differ slightly, so that the end can precede the beginning. */
function secondsOf({ began_at, ended_at }: EndedWrapUp): number {
  return Math.max(0, Math.round((ended_at.getTime() - began_at.getTime()) / 1000));
}
