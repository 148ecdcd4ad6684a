import { DomainEvent } from '../platform/events/domain-event';
import { RecordUpdated } from '../platform/events/record-updated';

/**
 * Why the service disables a webhook: it failed for three days, its receiver answered 410 Gone, or too many of its
 * deliveries are pending.
 */
export const DISABLE_REASONS = ['failing', 'gone', 'backlog'] as const;

export type DisableReason = (typeof DISABLE_REASONS)[number];

/** The subject (subject_id) of these events is the webhook. */
export class WebhookCreated extends DomainEvent {
  readonly type = 'webhook.created';
}

export class WebhookUpdated extends RecordUpdated {
  readonly type = 'webhook.updated';
}

export class WebhookDeleted extends DomainEvent {
  readonly type = 'webhook.deleted';
}

export class WebhookSecretRotated extends DomainEvent {
  readonly type = 'webhook.secret_rotated';
}

export class WebhookTested extends DomainEvent {
  readonly type = 'webhook.tested';
}

/** Finished deliveries are queued again. */
export class WebhookReplayed extends DomainEvent {
  readonly type = 'webhook.replayed';

  constructor(
    tenantId: string,
    webhookId: string,
    occurredAt: string,
    /** The number of deliveries. */
    readonly count: number,
  ) {
    super(tenantId, webhookId, occurredAt);
  }

  override get details() {
    return { count: this.count };
  }
}

/** The service has disabled the webhook. The type keeps its original name, which is stored in audit logs. */
export class WebhookDisabled extends DomainEvent {
  readonly type = 'webhook.switched_off';

  constructor(
    tenantId: string,
    webhookId: string,
    occurredAt: string,
    readonly reason: DisableReason,
  ) {
    super(tenantId, webhookId, occurredAt);
  }

  /** No user caused it, but users need to find out why it happened. */
  override get audited() {
    return 'always' as const;
  }

  override get details() {
    return { reason: this.reason };
  }
}
