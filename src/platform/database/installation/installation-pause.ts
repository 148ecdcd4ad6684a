import { Injectable } from '@nestjs/common';
import { Database } from '../database';

export type PauseReason = 'restored' | 'operator';

/** Whether the installation is paused, and since when. */
export interface PauseState {
  paused_at: Date | null;
  pause_reason: PauseReason | null;
}

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

  async state(): Promise<PauseState> {
    return this.database.system(
      async (tx) =>
        (await tx.one<PauseState>('SELECT paused_at, pause_reason FROM installation')) ?? NOT_PAUSED,
    );
  }

  /** Whether it is paused because its database was restored. */
  async isRestored(): Promise<boolean> {
    const [rows] = await this.database.readSystem<[{ is_restored: boolean }]>([
      { text: `SELECT pause_reason IS NOT DISTINCT FROM 'restored' AS is_restored FROM installation` },
    ]);
    return rows[0]?.is_restored ?? false;
  }

  /** Whether the erasures of the journal have not been repeated yet in a restored database. */
  async awaitsErasures(): Promise<boolean> {
    const [rows] = await this.database.readSystem<[{ awaits: boolean }]>([
      {
        text: `SELECT pause_reason IS NOT DISTINCT FROM 'restored' AND erasures_applied_at IS NULL AS awaits
          FROM installation`,
      },
    ]);
    return rows[0]?.awaits ?? false;
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

const NOT_PAUSED: PauseState = { paused_at: null, pause_reason: null };
