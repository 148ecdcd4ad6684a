/** The events that webhooks can subscribe to. */
export const WEBHOOK_EVENTS = [
  'call.queued',
  'call.offered',
  'call.offer_ended',
  'call.assigned',
  'call.requeued',
  'call.transferred',
  'call.started',
  'call.completed',
  'call.missed',
  'call.cancelled',
  'call.abandoned',
  'call.rated',
  'call.peer_disconnected',
  'call.peer_reconnected',
  'callback.due',
  'agent.state_changed',
  'queue.alert',
  'recording.ready',
  'transcript.ready',
  'summary.ready',
  'customer.created',
  'customer.updated',
  'customer.merged',
  'customer.deleted',
  'access_link.created',
  'access_link.cancelled',
  'appointment.created',
  'appointment.confirmed',
  'appointment.cancelled',
  'appointment.completed',
  'appointment.no_show',
  'department.created',
  'department.updated',
  'department.deleted',
  'user.created',
  'user.updated',
] as const;

export type WebhookEvent = (typeof WEBHOOK_EVENTS)[number];

/** The event of test deliveries; webhooks cannot subscribe to it. */
export const TEST_EVENT = 'webhook.test';

/** An invitation, whose deliveries lose their link when they end: to send them again would be of no use. */
export const CALLBACK_DUE = 'callback.due' satisfies WebhookEvent;

export type PayloadType = WebhookEvent | typeof TEST_EVENT;

/** The body of a delivery (Standard Webhooks 1.0.0). */
export interface WebhookPayload<Data extends object = object> {
  type: PayloadType;
  /** When the event occurred, ISO 8601. */
  timestamp: string;
  /** An instance of the event's class in webhook-catalogue.ts, as JSON. */
  data: Data;
}

const NAMES: ReadonlySet<string> = new Set(WEBHOOK_EVENTS);

/** Whether webhooks can subscribe to events of this type. */
export const isWebhookEvent = (type: string): type is WebhookEvent => NAMES.has(type);
