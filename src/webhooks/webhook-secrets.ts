import { randomBytes } from 'node:crypto';
import { Injectable, type OnModuleInit } from '@nestjs/common';
import { Webhook as Signer } from 'standardwebhooks';
import { ResealSecrets } from '../platform/secrets/reseal-secrets';
import { SecretBox } from '../platform/secrets/secret-box';

const SECRET_BYTES = 32;

/** What is stored of a webhook's secrets, sealed. */
export interface StoredSecrets {
  id: string;
  secret: string;
  previous_secret: string | null;
  previous_secret_expires_at: Date | null;
}

/** What a secret is sealed for: the one of another webhook does not open as this one's. */
export const webhookSecretPurpose = (webhookId: string) => `secret of webhook ${webhookId}`;

/** Secrets that receivers check signatures with (Standard Webhooks 1.0.0: whsec_ and base64). */
@Injectable()
export class WebhookSecrets implements OnModuleInit {
  constructor(
    private readonly box: SecretBox,
    private readonly resealing: ResealSecrets,
  ) {}

  onModuleInit(): void {
    for (const column of ['secret', 'previous_secret']) {
      this.resealing.join({ table: 'webhooks', column, purpose: webhookSecretPurpose });
    }
  }

  /** @returns a new secret, as the company is shown it once and as it is stored */
  make(webhookId: string): { secret: string; sealed: string } {
    const secret = `whsec_${randomBytes(SECRET_BYTES).toString('base64')}`;
    return { secret, sealed: this.box.seal(secret, webhookSecretPurpose(webhookId)) };
  }

  /**
   * The headers of one try. While the secret before is still good there are two signatures, the newer first.
   * @param messageId the same over all tries
   */
  sign(stored: StoredSecrets, messageId: string, body: string, now: Date): Record<string, string> {
    const { id, secret, previous_secret, previous_secret_expires_at } = stored;
    const isGood = previous_secret_expires_at !== null && now < previous_secret_expires_at;
    const sealed = isGood && previous_secret !== null ? [secret, previous_secret] : [secret];
    const signatures = sealed.map((text) =>
      new Signer(this.box.open(text, webhookSecretPurpose(id))).sign(messageId, now, body),
    );
    return {
      'webhook-id': messageId,
      'webhook-timestamp': String(Math.floor(now.getTime() / 1000)),
      'webhook-signature': signatures.join(' '),
    };
  }
}
