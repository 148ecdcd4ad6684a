import { randomBytes, randomUUID } from 'node:crypto';
import { Injectable, type OnModuleInit } from '@nestjs/common';
import { Webhook as Signer } from 'standardwebhooks';
import { Clock } from '../platform/clock/clock';
import type { Transaction } from '../platform/database/transaction';
import { unprocessable } from '../platform/http/errors/api-error';
import { SecretResealer } from '../platform/secrets/secret-resealer';
import { SecretBox } from '../platform/secrets/secret-box';

const SECRET_BYTES = 32;
/** For how long receivers may go on with a secret that was replaced. */
const ROTATION_SECONDS = 86_400;
/** Signatures that one delivery may carry. */
const MOST_SECRETS = 5;

/** A secret as it is stored, sealed. */
export interface StoredSecret {
  id: string;
  secret: string;
}

/** Those of a webhook `w` that are good at the moment `$n`, the newest first, as JSON. */
export const secretsSql = (now: string) => `(
  SELECT json_agg(json_build_object('id', s.id, 'secret', s.secret) ORDER BY s.inserted_at DESC) FROM webhook_secrets s
  WHERE s.webhook_id = w.id AND (s.expires_at IS NULL OR s.expires_at > ${now}))`;

/** What a secret is sealed for: it does not open in another row. */
const purposeOf = (id: string) => `webhook secret ${id}`;

/** Secrets that receivers check signatures with (Standard Webhooks 1.0.0: whsec_ and base64). */
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
   * Makes the webhook's secret anew; one that it had stays good for a day, however often that is done meanwhile. The
   * caller holds the webhook's lock.
   * @returns the secret, which is shown this once, and until when others are good
   * @throws 422 for one time too many within a day
   */
  async renew(
    tx: Transaction,
    tenantId: string,
    webhookId: string,
  ): Promise<{ secret: string; others_until: Date | null }> {
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
    if ((row?.count ?? 0) >= MOST_SECRETS) {
      throw unprocessable('too_many_secrets', 'The secret was changed too often today. Try again tomorrow.');
    }
    const id = randomUUID();
    const secret = `whsec_${randomBytes(SECRET_BYTES).toString('base64')}`;
    await tx.query(
      `INSERT INTO webhook_secrets (id, tenant_id, webhook_id, secret, inserted_at) VALUES ($1, $2, $3, $4, $5)`,
      [id, tenantId, webhookId, this.box.seal(secret, purposeOf(id)), now],
    );
    return { secret, others_until: replaced[0]?.expires_at ?? null };
  }

  /**
   * The headers of one try, with a signature for each secret.
   * @param messageId the same over all tries
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
