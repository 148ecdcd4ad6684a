import { randomUUID } from 'node:crypto';
import { Inject, Injectable } from '@nestjs/common';
import { Clock } from '../platform/clock/clock';
import { CONFIG, type Config } from '../platform/config/config';
import { Database } from '../platform/database/database';
import type { Transaction } from '../platform/database/transaction';
import { changedFields } from '../platform/events/record-updated';
import { EventBus } from '../platform/events/event-bus';
import { invalidField, unprocessable } from '../platform/http/errors/api-error';
import { findUrlProblem } from './outbound/url-problem';
import { SubscriptionsService } from '../plans/subscriptions.service';
import { type LockedWebhook, lockWebhook } from './lock-webhook';
import type { CreateWebhookDto, UpdateWebhookDto, WebhookDto, WebhookWithSecretDto } from './webhook.dto';
import { WebhookCreated, WebhookSecretRotated, WebhookUpdated } from './webhook.events';
import { WebhookList } from './webhook-list';
import { WebhookSecrets } from './webhook-secrets';

/** Webhooks of one tenant, on every plan. */
const MAX_WEBHOOKS = 50;

/** Creates and updates the webhooks of a tenant, and rotates their secrets. */
@Injectable()
export class WebhooksService {
  constructor(
    private readonly database: Database,
    private readonly list: WebhookList,
    private readonly secrets: WebhookSecrets,
    private readonly subscriptions: SubscriptionsService,
    private readonly events: EventBus,
    private readonly clock: Clock,
    @Inject(CONFIG) private readonly config: Config,
  ) {}

  /** @throws 403 plan_limit; 422 for a URL that is not allowed, and when the tenant has MAX_WEBHOOKS already */
  async create(tenantId: string, input: CreateWebhookDto): Promise<WebhookWithSecretDto> {
    this.checkUrl(input.url);
    const id = randomUUID();
    const secret = await this.database.tenant(tenantId, async (tx) => {
      await this.ensureWithinLimits(tx, tenantId);
      const now = this.clock.now();
      await tx.query(
        `INSERT INTO webhooks (id, tenant_id, url, events, description, active, inserted_at, updated_at)
         VALUES ($1, $2, $3, $4, $5, $6, $7, $7)`,
        [id, tenantId, input.url, input.events, input.description ?? null, input.active ?? true, now],
      );
      const issued = await this.secrets.issue(tx, tenantId, id);
      await this.events.record(tx, new WebhookCreated(tenantId, id, now.toISOString()));
      return issued.secret;
    });
    return { ...(await this.list.get(tenantId, id)), secret };
  }

  /**
   * A webhook that is activated again receives the pending deliveries that are not due yet. Those that came due while
   * it was inactive have failed and can be replayed.
   * @throws 404; 422 for a URL that is not allowed
   */
  async update(tenantId: string, id: string, input: UpdateWebhookDto): Promise<WebhookDto> {
    if (input.url !== undefined) this.checkUrl(input.url);
    await this.database.tenant(tenantId, async (tx) => {
      const webhook = await lockWebhook(tx, tenantId, id);
      const wanted = { ...webhook, ...definedFields(input) };
      const changed = changedFields(webhook, wanted);
      if (changed.length === 0) return;
      const now = this.clock.now();
      // Earlier failures say nothing about another URL, nor about a receiver that was fixed before the reactivation.
      const resetsFailures = wanted.url !== webhook.url || (wanted.active && !webhook.active);
      await tx.query(
        `UPDATE webhooks SET url = $2, events = $3, description = $4, active = $5, updated_at = $6,
           failing_since = CASE WHEN $7 THEN NULL ELSE failing_since END,
           disabled_at = CASE WHEN $5 THEN NULL ELSE disabled_at END,
           disabled_reason = CASE WHEN $5 THEN NULL ELSE disabled_reason END
         WHERE id = $1`,
        [id, wanted.url, wanted.events, wanted.description, wanted.active, now, resetsFailures],
      );
      await this.events.record(tx, new WebhookUpdated(tenantId, id, now.toISOString(), changed));
    });
    return this.list.get(tenantId, id);
  }

  /** Earlier secrets stay valid for a day beside the new one. @throws 404; 422 `too_many_secrets` */
  async rotateSecret(tenantId: string, id: string): Promise<WebhookWithSecretDto> {
    const secret = await this.database.tenant(tenantId, async (tx) => {
      await lockWebhook(tx, tenantId, id);
      const issued = await this.secrets.issue(tx, tenantId, id);
      const now = this.clock.now();
      await tx.query('UPDATE webhooks SET previous_secret_expires_at = $2, updated_at = $3 WHERE id = $1', [
        id,
        issued.previous_expires_at,
        now,
      ]);
      await this.events.record(tx, new WebhookSecretRotated(tenantId, id, now.toISOString()));
      return issued.secret;
    });
    return { ...(await this.list.get(tenantId, id)), secret };
  }

  private checkUrl(url: string): void {
    const problem = findUrlProblem(url, this.config.webhookAllowedPrivateHosts);
    if (problem !== undefined) throw invalidField('url', problem);
  }

  /** Counts under the lock of the tenant's row, so that concurrent creates cannot exceed the limits. */
  private async ensureWithinLimits(tx: Transaction, tenantId: string): Promise<void> {
    const count = async () => {
      const row = await tx.one<{ count: number }>(
        'SELECT count(*)::int AS count FROM webhooks WHERE tenant_id = $1 AND deleted_at IS NULL',
        [tenantId],
      );
      return row?.count ?? 0;
    };
    await this.subscriptions.ensureWithinLimit(tx, tenantId, 'max_webhooks', count);
    if ((await count()) >= MAX_WEBHOOKS) {
      throw unprocessable(
        'too_many_webhooks',
        `A company can have ${MAX_WEBHOOKS} webhooks. Delete one first.`,
      );
    }
  }
}

/** The fields that the input sets: null clears the description and leaves `active` as it is. */
function definedFields({ url, events, description, active }: UpdateWebhookDto): Partial<LockedWebhook> {
  return {
    ...(url !== undefined && { url }),
    ...(events !== undefined && { events }),
    ...(description !== undefined && { description }),
    ...(typeof active === 'boolean' && { active }),
  };
}
