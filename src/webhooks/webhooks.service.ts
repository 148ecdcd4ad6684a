import { randomUUID } from 'node:crypto';
import { Inject, Injectable } from '@nestjs/common';
import { Clock } from '../platform/clock/clock';
import { CONFIG, type Config } from '../platform/config/config';
import { Database } from '../platform/database/database';
import type { Transaction } from '../platform/database/transaction';
import { changedFields } from '../platform/events/changed-fields';
import { EventBus } from '../platform/events/event-bus';
import { invalidField, notFound, unprocessable } from '../platform/http/errors/api-error';
import { urlProblem } from '../platform/outbound/url-problem';
import type { CreateWebhookDto, UpdateWebhookDto, WebhookDto, WebhookWithSecretDto } from './webhook.dto';
import { WebhookCreated, WebhookDeleted, WebhookSecretRotated, WebhookUpdated } from './webhook.events';
import { WebhookList } from './webhook-list';
import { WebhookSecrets } from './webhook-secrets';

const MOST_WEBHOOKS = 50;
/** Deliveries deleted in one transaction. */
const BATCH = 5000;

type WebhookRow = Pick<WebhookDto, 'url' | 'events' | 'description' | 'active'>;

/** What a company says about where it wants to be told what. */
@Injectable()
export class WebhooksService {
  constructor(
    private readonly database: Database,
    private readonly list: WebhookList,
    private readonly secrets: WebhookSecrets,
    private readonly events: EventBus,
    private readonly clock: Clock,
    @Inject(CONFIG) private readonly config: Config,
  ) {}

  /** @throws 422 for an address that is not allowed, and for one webhook too many */
  async create(tenantId: string, input: CreateWebhookDto): Promise<WebhookWithSecretDto> {
    this.checkUrl(input.url);
    const id = randomUUID();
    const secret = await this.database.tenant(tenantId, async (tx) => {
      await this.ensureRoom(tx, tenantId);
      const now = this.clock.now();
      await tx.query(
        `INSERT INTO webhooks (id, tenant_id, url, events, description, active, inserted_at, updated_at)
         VALUES ($1, $2, $3, $4, $5, $6, $7, $7)`,
        [id, tenantId, input.url, input.events, input.description ?? null, input.active ?? true, now],
      );
      const made = await this.secrets.renew(tx, tenantId, id);
      await this.events.record(tx, new WebhookCreated(tenantId, id, now.toISOString()));
      return made.secret;
    });
    return { ...(await this.list.get(tenantId, id)), secret };
  }

  /**
   * Activated again, it goes on with what is not due yet; what came due meanwhile has failed, to be replayed.
   * @throws 404, 422
   */
  async update(tenantId: string, id: string, input: UpdateWebhookDto): Promise<WebhookDto> {
    if (input.url !== undefined) this.checkUrl(input.url);
    await this.database.tenant(tenantId, async (tx) => {
      const webhook = await this.lock(tx, tenantId, id);
      const wanted = { ...webhook, ...given(input) };
      const changed = changedFields(webhook, wanted);
      if (changed.length === 0) return;
      const now = this.clock.now();
      // Somewhere else, or after somebody saw to it, it begins anew.
      const anew = wanted.url !== webhook.url || (wanted.active && !webhook.active);
      await tx.query(
        `UPDATE webhooks SET url = $2, events = $3, description = $4, active = $5, updated_at = $6,
           failing_since = CASE WHEN $7 THEN NULL ELSE failing_since END,
           disabled_at = CASE WHEN $5 THEN NULL ELSE disabled_at END,
           disabled_reason = CASE WHEN $5 THEN NULL ELSE disabled_reason END
         WHERE id = $1`,
        [id, wanted.url, wanted.events, wanted.description, wanted.active, now, anew],
      );
      await this.events.record(tx, new WebhookUpdated(tenantId, id, now.toISOString(), changed));
    });
    return this.list.get(tenantId, id);
  }

  /**
   * Its deliveries go first, some at a time, and the webhook last: changes that would tell it something wait for
   * nobody. @throws 404
   */
  async delete(tenantId: string, id: string): Promise<void> {
    await this.database.tenant(tenantId, async (tx) => {
      const { active } = await this.lock(tx, tenantId, id);
      const now = this.clock.now();
      await tx.query(
        `UPDATE webhooks SET active = false, disabled_at = NULL, disabled_reason = NULL, updated_at = $2
         WHERE id = $1`,
        [id, now],
      );
      if (active)
        await this.events.record(tx, new WebhookUpdated(tenantId, id, now.toISOString(), ['active']));
    });
    while ((await this.deleteDeliveries(tenantId, id)) > 0) {
      // There may be more.
    }
    await this.database.tenant(tenantId, async (tx) => {
      await this.lock(tx, tenantId, id);
      await tx.query('DELETE FROM webhooks WHERE id = $1', [id]);
      await this.events.record(tx, new WebhookDeleted(tenantId, id, this.clock.now().toISOString()));
    });
  }

  /** The secrets that were good until now stay so for a day, beside the new one. @throws 404, 422 */
  async rotateSecret(tenantId: string, id: string): Promise<WebhookWithSecretDto> {
    const secret = await this.database.tenant(tenantId, async (tx) => {
      await this.lock(tx, tenantId, id);
      const made = await this.secrets.renew(tx, tenantId, id);
      const now = this.clock.now();
      await tx.query('UPDATE webhooks SET previous_secret_expires_at = $2, updated_at = $3 WHERE id = $1', [
        id,
        made.others_until,
        now,
      ]);
      await this.events.record(tx, new WebhookSecretRotated(tenantId, id, now.toISOString()));
      return made.secret;
    });
    return { ...(await this.list.get(tenantId, id)), secret };
  }

  private async deleteDeliveries(tenantId: string, webhookId: string): Promise<number> {
    const deleted = await this.database.tenant(tenantId, (tx) =>
      tx.query(
        `DELETE FROM webhook_deliveries WHERE id IN (
           SELECT id FROM webhook_deliveries WHERE tenant_id = $1 AND webhook_id = $2 LIMIT ${BATCH}
           FOR UPDATE SKIP LOCKED)
         RETURNING id`,
        [tenantId, webhookId],
      ),
    );
    return deleted.length;
  }

  private checkUrl(url: string): void {
    const problem = urlProblem(url, this.config.webhookAllowedPrivateHosts);
    if (problem !== undefined) throw invalidField('url', problem);
  }

  /** Creates of one company take turns behind its row's lock. */
  private async ensureRoom(tx: Transaction, tenantId: string): Promise<void> {
    await tx.query('SELECT FROM tenants WHERE id = $1 FOR NO KEY UPDATE', [tenantId]);
    const row = await tx.one<{ count: number }>(
      'SELECT count(*)::int AS count FROM webhooks WHERE tenant_id = $1',
      [tenantId],
    );
    if ((row?.count ?? 0) >= MOST_WEBHOOKS) {
      throw unprocessable(
        'too_many_webhooks',
        `A company can have ${MOST_WEBHOOKS} webhooks. Delete one first.`,
      );
    }
  }

  private async lock(tx: Transaction, tenantId: string, id: string): Promise<WebhookRow> {
    const webhook = await tx.one<WebhookRow>(
      `SELECT url, events, description, active FROM webhooks WHERE tenant_id = $1 AND id = $2 FOR NO KEY UPDATE`,
      [tenantId, id],
    );
    if (!webhook) throw notFound('Webhook');
    return webhook;
  }
}

/** Without the fields that were left out; null takes a description away and leaves all else. */
function given({ url, events, description, active }: UpdateWebhookDto): Partial<WebhookRow> {
  return {
    ...(url !== undefined && { url }),
    ...(events !== undefined && { events }),
    ...(description !== undefined && { description }),
    ...(typeof active === 'boolean' && { active }),
  };
}
