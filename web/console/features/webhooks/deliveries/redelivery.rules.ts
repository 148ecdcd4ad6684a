import type { Delivery } from '../use-webhooks';

/** The service sends these only once: a test is repeated by a new one, and the link of an invitation is not kept. */
const SENT_ONCE: readonly string[] = ['webhook.test', 'callback.due'];

/** Whether a delivery can be sent again; one that is pending will be sent anyway. */
export const canRedeliver = ({ event, status }: Pick<Delivery, 'event' | 'status'>): boolean =>
  status !== 'pending' && !SENT_ONCE.includes(event);
