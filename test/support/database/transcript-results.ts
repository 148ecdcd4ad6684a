import { until } from '../until';
import type { TestConnection } from './database';

/** Inserts a ready transcript and summary, or a failed transcript, for each recording of a call. */
export async function insertTranscriptResults(
  db: TestConnection,
  callId: string,
  status: 'ready' | 'failed',
): Promise<void> {
  const columns = 'recording_id, tenant_id, call_id, status, inserted_at, requested_at';
  const generatedAt = status === 'ready' ? 'now()' : 'NULL';
  const from = `id, tenant_id, call_id, '${status}', now(), now(), ${generatedAt}, 'ai.example', 'model'`;
  await db.query(
    `INSERT INTO transcripts (${columns}, generated_at, provider, model, transcript, language)
     SELECT ${from}, 'A: Hello.', 'en' FROM recordings WHERE call_id = $1`,
    [callId],
  );
  if (status === 'failed') return;
  await db.query(
    `INSERT INTO summaries (${columns}, generated_at, provider, model, summary)
     SELECT ${from}, 'A greeted.' FROM recordings WHERE call_id = $1`,
    [callId],
  );
}

/** Waits until no transcript of the tenant is pending. */
export async function waitForTranscripts(db: TestConnection, tenantId: string): Promise<void> {
  await until(async () => {
    const pending = `SELECT FROM transcripts WHERE tenant_id = $1 AND status = 'pending'`;
    return (await db.query(pending, [tenantId])).rows.length === 0;
  });
}
