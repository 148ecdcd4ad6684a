import { DomainEvent } from '../platform/events/domain-event';
import { RecordUpdated } from '../platform/events/record-updated';
import type { DisableReason } from './deliveries/delivery.rules';

/** Something that happened to a webhook (subject_id). */
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

/** Deliveries that were over are to be made again. */
export class WebhookReplayed extends DomainEvent {
  readonly type = 'webhook.replayed';

  constructor(
    tenantId: string,
    webhookId: string,
    occurredAt: string,
    /** How many. */
    readonly count: number,
  ) {
    super(tenantId, webhookId, occurredAt);
  }

  override get details() {
    return { count: this.count };
  }
}

/** The service gave it up. */
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

  /** Nobody of the staff did it, and everybody will ask. */
  override get audited() {
    return 'always' as const;
  }

  override get details() {
    return { reason: this.reason };
  }
}
