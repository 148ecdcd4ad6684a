import type { TestedService } from '../tested-service';
import { until } from '../until';

/** Waits until the jobs have ended what the deleted department left behind: its calls, uploads, overflows, appointments and links. */
export async function departmentEnded({ db }: Pick<TestedService, 'db'>, id: string): Promise<void> {
  await until(async () => {
    const { rows } = await db.query(
      `SELECT FROM pgboss.job WHERE name = 'deletion-endings' AND data ->> 'id' = $1 AND state <= 'active' LIMIT 1`,
      [id],
    );
    return rows.length === 0;
  });
}
