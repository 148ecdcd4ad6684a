import { Injectable } from '@nestjs/common';
import { Database } from '../database';

export type PauseReason = 'restored' | 'operator';

/** Whether the installation is paused, and since when. */
export interface PauseState {
  paused_at: Date | null;
  pause_reason: PauseReason | null;
}

const NOT_PAUSED = { paused_at: null, pause_reason: null };

/** Pauses and resumes what the installation sends. Running instances notice it within 5 s. */
@Injectable()
export class InstallationPause {
  constructor(private readonly database: Database) {}

  /** Does nothing if the installation is paused already. @returns the state */
  pause(): Promise<PauseState> {
    return this.database.system(async (tx) => {
      await tx.query(
        `UPDATE installation SET paused_at = now(), pause_reason = 'operator' WHERE paused_at IS NULL`,
      );
      return (await tx.one<PauseState>('SELECT paused_at, pause_reason FROM installation')) ?? NOT_PAUSED;
    });
  }

  /** @returns with `awaits_erasures`: the erasures of the journal have not been repeated yet in a restored database */
  async state(): Promise<PauseState & { awaits_erasures: boolean }> {
    const state = await this.database.system((tx) =>
      tx.one<PauseState & { awaits_erasures: boolean }>(
        `SELECT paused_at, pause_reason,
           pause_reason IS NOT DISTINCT FROM 'restored' AND erasures_applied_at IS NULL AS awaits_erasures
         FROM installation`,
      ),
    );
    return state ?? { ...NOT_PAUSED, awaits_erasures: false };
  }

  /** Records that the erasures have been repeated. */
  async recordErasures(): Promise<void> {
    await this.database.system((tx) => tx.query('UPDATE installation SET erasures_applied_at = now()'));
  }

  /** Records the time, if it was paused: what was requested until then is sent late. @returns the state before */
  resume(): Promise<PauseState> {
    return this.database.system(async (tx) => {
      const before = await tx.one<PauseState>('SELECT paused_at, pause_reason FROM installation FOR UPDATE');
      await tx.query(
        `UPDATE installation SET resumed_at = CASE WHEN paused_at IS NULL THEN resumed_at ELSE now() END,
           paused_at = NULL, pause_reason = NULL`,
      );
      return before ?? NOT_PAUSED;
    });
  }
}
