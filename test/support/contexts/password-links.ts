import type { SmtpPeer, ReceivedMail } from '../peers/smtp-peer';
import type { TestApp } from '../test-app';
import { until } from '../until';

const LINK = /http\S+\/reset-password\?\S+/g;

/** The only link in the plain text of a mail. @throws Error unless there is exactly one */
export function linkIn({ text }: Pick<ReceivedMail, 'text'>): URL {
  const [link, ...others] = text.match(LINK) ?? [];
  if (!link || others.length > 0) throw new Error(`not exactly one link in: ${text}`);
  return new URL(link);
}

/** The token in the only link of a mail. */
export const tokenIn = (mail: Pick<ReceivedMail, 'text'>): string =>
  linkIn(mail).searchParams.get('token') ?? '';

/** Whether a mail contains a link. */
export const hasLink = ({ text }: Pick<ReceivedMail, 'text'>): boolean => text.search(LINK) >= 0;

/** The tokens of all links that were mailed to this address, oldest first. */
export const mailedTokens = (peer: SmtpPeer, address: string): string[] =>
  peer.messagesTo(address).filter(hasLink).map(tokenIn);

/** Waits until all mail jobs have ended. */
export async function waitForMails({ db }: TestApp): Promise<void> {
  await until(
    async () => {
      const { rows } = await db.query(
        `SELECT FROM pgboss.job WHERE name LIKE 'mail-%' AND state IN ('created', 'retry', 'active')`,
      );
      return rows.length === 0;
    },
    () => 'some mail jobs have not ended',
  );
}

/** The number of currently valid links of a user. */
export async function countValidLinks({ db, clock }: TestApp, userId: string): Promise<number> {
  const { rows } = await db.query(
    'SELECT FROM password_resets WHERE user_id = $1 AND used_at IS NULL AND expires_at > $2',
    [userId, clock.now()],
  );
  return rows.length;
}

/** Tables of all schemas, including those of the jobs, that contain this text. */
export async function tablesContaining({ db }: TestApp, text: string): Promise<string[]> {
  const { rows: tables } = await db.query<{ name: string }>(
    `SELECT format('%I.%I', n.nspname, c.relname) AS name
     FROM pg_class c JOIN pg_namespace n ON n.oid = c.relnamespace
     WHERE c.relkind = 'r' AND n.nspname NOT IN ('pg_catalog', 'information_schema', 'pg_toast')
     ORDER BY name`,
  );
  const found: string[] = [];
  for (const { name } of tables) {
    const { rows } = await db.query(`SELECT FROM ${name} t WHERE strpos(t::text, $1) > 0 LIMIT 1`, [text]);
    if (rows.length > 0) found.push(name);
  }
  return found;
}
