import type { PgBoss } from 'pg-boss';

/** The condition by which pg-boss fetches a job. It reads the index entries of a queue's jobs until one is due. */
const DUE_QUEUES = `
  SELECT queue.name FROM unnest($1::text[]) AS queue (name)
  WHERE EXISTS (
    SELECT FROM pgboss.job j
    WHERE j.name = queue.name AND j.state < 'active' AND NOT j.blocked AND j.start_after <= pgboss.job_now()
  )`;

/** @returns those of the queues in which a job waits whose time has come */
export async function dueQueues(boss: PgBoss, names: string[]): Promise<string[]> {
  const { rows } = await boss.getDb().executeSql(DUE_QUEUES, [names]);
  return (rows as { name: string }[]).map(({ name }) => name);
}
