import { Injectable } from '@nestjs/common';
import { RefreshingCache } from '../../../platform/cache/refreshing-cache';
import { Clock } from '../../../platform/clock/clock';
import { Database } from '../../../platform/database/database';
import type { Statement } from '../../../platform/database/statement';
import type { Transaction } from '../../../platform/database/transaction';
import type { LearnedWaits } from '../estimates/wait-estimate.rules';
import { LEARNED_SQL } from './learning-sql';
import { learningFrom, type LearningRow } from './learning-store';
import { learnedAt, NOTHING_LEARNED } from './wait-learning.rules';

/** What a department has learned changes slowly, and another instance may have learned it. */
const TTL_MS = 60_000;
const REFRESH_MS = 30_000;

type LearnedRow = Omit<LearningRow, 'wait_count' | 'ratios_count'> & { department_id: string; hour: number };

/** What departments have learned, at most a minute old: estimates need no statement for it. */
@Injectable()
export class LearnedWaitsCache {
  private readonly cache: RefreshingCache<LearnedWaits>;

  constructor(
    private readonly database: Database,
    private readonly clock: Clock,
  ) {
    this.cache = new RefreshingCache({
      max: 50_000,
      ttlMs: TTL_MS,
      refreshMs: REFRESH_MS,
      clock,
      readAll: (ids) => this.readAll(ids),
    });
  }

  /** Reads what is not cached. A department that is unknown has learned nothing. */
  async of(departmentId: string): Promise<LearnedWaits> {
    return (await this.cache.read(departmentId)) ?? NO_LEARNED_WAITS;
  }

  /** As `of`, for several departments: what is not cached is read by one statement. */
  async ofAll(departmentIds: readonly string[]): Promise<(departmentId: string) => LearnedWaits> {
    const known = new Map<string, LearnedWaits | undefined>();
    for (const id of departmentIds) known.set(id, this.cache.get(id));
    const unknown = [...known].filter(([, learned]) => learned === undefined).map(([id]) => id);
    for (const [id, learned] of await this.reload(unknown)) known.set(id, learned);
    return (id) => known.get(id) ?? NO_LEARNED_WAITS;
  }

  /** As `of`. A transaction that holds locks must not wait for another connection, so it reads what is not cached. */
  async in(tx: Transaction, departmentId: string): Promise<LearnedWaits> {
    const cached = this.cache.get(departmentId);
    if (cached) return cached;
    const { text, values } = this.statement([departmentId]);
    const learned = learnedFrom([departmentId], await tx.query<LearnedRow>(text, values));
    for (const [id, value] of learned) this.cache.set(id, value);
    return learned.get(departmentId) ?? NO_LEARNED_WAITS;
  }

  /** Reads again what these departments have learned. */
  async reload(departmentIds: string[]): Promise<Map<string, LearnedWaits>> {
    if (departmentIds.length === 0) return new Map();
    const since = this.cache.now();
    const learned = await this.readAll(departmentIds);
    for (const [id, value] of learned) this.cache.set(id, value, since);
    return learned;
  }

  private async readAll(ids: string[]): Promise<Map<string, LearnedWaits>> {
    const [rows] = await this.database.readSystem<[LearnedRow]>([this.statement(ids)]);
    return learnedFrom(ids, rows);
  }

  private statement(ids: string[]): Required<Pick<Statement, 'text' | 'values'>> {
    return { text: LEARNED_SQL, values: [ids, this.clock.now()] };
  }
}

/** What a department estimates by that has learned nothing. */
export const NO_LEARNED_WAITS = learnedAt(0, NOTHING_LEARNED);

/** Departments that have not begun to learn are cached, too. */
function learnedFrom(ids: readonly string[], rows: readonly LearnedRow[]): Map<string, LearnedWaits> {
  const known = new Map(
    rows.map((row) => [row.department_id, learnedAt(row.hour, learningFrom(row), row.ratios)]),
  );
  return new Map(ids.map((id) => [id, known.get(id) ?? NO_LEARNED_WAITS]));
}
