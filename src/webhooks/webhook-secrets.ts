import { randomBytes, randomUUID } from 'node:crypto';
import { Injectable, type OnModuleInit } from '@nestjs/common';
import { Webhook as Signer } from 'standardwebhooks';
import { Clock } from '../platform/clock/clock';
import type { Transaction } from '../platform/database/transaction';
import { unprocessable } from '../platform/http/errors/api-error';
import { SecretResealer } from '../platform/secrets/secret-resealer';
import { SecretBox } from '../platform/secrets/secret-box';

const SECRET_BYTES = 32;
/** How long a replaced secret stays valid. */
const ROTATION_SECONDS = 86_400;
/** Valid secrets of a webhook: each adds a signature to every delivery. */
const MAX_SECRETS = 5;

/** A secret as it is stored: sealed. */
export interface StoredSecret {
  id: string;
  secret: string;
}

export interface IssuedSecret {
  /** In clear text; it is shown this once. */
  secret: string;
  /** When the secrets before it expire; null if there were none. */
  previous_expires_at: Date | null;
}

/** SQL for the secrets of a webhook `w` that are valid at `now` (a parameter such as `$2`), newest first, as JSON. */
export const secretsSql = (now: string) => `(
  SELECT json_agg(json_build_object('id', s.id, 'secret', s.secret) ORDER BY s.inserted_at DESC) FROM webhook_secrets s
  WHERE s.webhook_id = w.id AND (s.expires_at IS NULL OR s.expires_at > ${now}))`;

/** Binds a sealed secret to its row: it cannot be opened in another one. */
const purposeOf = (id: string) => `webhook secret ${id}`;

/** The secrets that receivers verify signatures with (Standard Webhooks 1.0.0: `whsec_` and base64). */
@Injectable()
export class WebhookSecrets implements OnModuleInit {
  constructor(
    private readonly box: SecretBox,
    private readonly resealing: SecretResealer,
    private readonly clock: Clock,
  ) {}

  onModuleInit(): void {
    this.resealing.register({ table: 'webhook_secrets', column: 'secret', purpose: purposeOf });
  }

  /**
   * Issues a new secret. The current one expires in a day, and earlier ones keep their expiry. The caller holds the
   * webhook's lock.
   * @throws 422 `too_many_secrets` when MAX_SECRETS are valid already
   */
  async issue(tx: Transaction, tenantId: string, webhookId: string): Promise<IssuedSecret> {
    const now = this.clock.now();
    const replaced = await tx.query<{ expires_at: Date }>(
      `UPDATE webhook_secrets SET expires_at = $2 WHERE webhook_id = $1 AND expires_at IS NULL RETURNING expires_at`,
      [webhookId, this.clock.in(ROTATION_SECONDS)],
    );
    await tx.query('DELETE FROM webhook_secrets WHERE webhook_id = $1 AND expires_at <= $2', [
      webhookId,
      now,
    ]);
    const row = await tx.one<{ count: number }>(
      'SELECT count(*)::int AS count FROM webhook_secrets WHERE webhook_id = $1',
      [webhookId],
    );
    if ((row?.count ?? 0) >= MAX_SECRETS) {
      throw unprocessable('too_many_secrets', 'The secret was changed too often today. Try again tomorrow.');
    }
    const id = randomUUID();
    const secret = `whsec_${randomBytes(SECRET_BYTES).toString('base64')}`;
    await tx.query(
      `INSERT INTO webhook_secrets (id, tenant_id, webhook_id, secret, inserted_at) VALUES ($1, $2, $3, $4, $5)`,
      [id, tenantId, webhookId, this.box.seal(secret, purposeOf(id)), now],
    );
    return { secret, previous_expires_at: replaced[0]?.expires_at ?? null };
  }

  /**
   * The headers of one attempt, with a signature for each secret (Standard Webhooks 1.0.0).
   * @param messageId the delivery's id: the same for all attempts
   * @throws SealError for a secret that no ENCRYPTION_KEY opens
   */
  sign(secrets: StoredSecret[], messageId: string, body: string, now: Date): Record<string, string> {
    const signatures = secrets.map(({ id, secret }) =>
      new Signer(this.box.open(secret, purposeOf(id))).sign(messageId, now, body),
    );
    return {
      'webhook-id': messageId,
      'webhook-timestamp': String(Math.floor(now.getTime() / 1000)),
      'webhook-signature': signatures.join(' '),
    };
  }
}
