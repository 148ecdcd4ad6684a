/** What a company can be told of, each event by its name. */
export const WEBHOOK_EVENTS = [
  'call.queued',
  'call.assigned',
  'call.started',
  'call.completed',
  'call.missed',
  'call.cancelled',
  'call.abandoned',
  'call.rated',
  'call.peer_disconnected',
  'call.peer_reconnected',
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

/** What a webhook is tried out with; nobody subscribes to it. */
export const TEST_EVENT = 'webhook.test';

export type PayloadType = WebhookEvent | typeof TEST_EVENT;

/** The body that is sent (Standard Webhooks 1.0.0). */
export interface WebhookPayload<Data extends object = object> {
  type: PayloadType;
  /** When it happened, ISO 8601. */
  timestamp: string;
  /** An instance of the event's class in webhook-catalogue.ts, as JSON. */
  data: Data;
}

const NAMES: ReadonlySet<string> = new Set(WEBHOOK_EVENTS);

/** Whether webhooks are told of events of this type. */
export const isWebhookEvent = (type: string): type is WebhookEvent => NAMES.has(type);
