import type { components } from '../../../shared/api/client';

export type Webhook = components['schemas']['WebhookDto'];

export type WebhookState =
  'active' | 'failing' | 'inactive' | `disabled_${NonNullable<Webhook['disabled_reason']>}`;

export const STATE_COLORS: Readonly<Record<WebhookState, string>> = {
  active: 'green',
  failing: 'orange',
  inactive: 'gray',
  disabled_failing: 'red',
  disabled_gone: 'red',
  disabled_backlog: 'red',
};

/** Whether deliveries are sent, and otherwise who has ended that: a manager, or the service, and why. */
export function stateOf(
  webhook: Pick<Webhook, 'active' | 'failing_since' | 'disabled_reason'>,
): WebhookState {
  if (webhook.active) return webhook.failing_since === null ? 'active' : 'failing';
  return webhook.disabled_reason === null ? 'inactive' : `disabled_${webhook.disabled_reason}`;
}
