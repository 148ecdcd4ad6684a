import { plural } from '../../../../shared/texts/plural';
import events from './events-en';

const en = {
  title: 'Webhooks',
  one: 'Webhook',
  help: 'The service sends events to other programs of the company, for example to a CRM.',
  empty: 'There are no webhooks yet.',
  create: 'New webhook',
  url: 'Address',
  urlHelp: 'An https address on the internet that accepts POST requests.',
  state: 'State',
  events: 'Events',
  createdAt: 'Created',
  active: 'Send deliveries',
  ...events,
  states: {
    active: 'Active',
    failing: 'Active, but failing',
    inactive: 'Not active',
    disabled_failing: 'Disabled: failures',
    disabled_gone: 'Disabled: no longer wanted',
    disabled_backlog: 'Disabled: too many pending',
  },
  reasons: {
    failing: (since: string) =>
      `Deliveries have been failing since ${since}. They are repeated; after three days without success the webhook is disabled. The attempts below tell why.`,
    inactive: () =>
      'A manager has deactivated this webhook. Events that happen meanwhile are not sent later.',
    disabled_failing: (since: string) =>
      `The service disabled this webhook on ${since}, because no delivery had succeeded for three days. Repair the receiver, activate the webhook, and send the failed deliveries again.`,
    disabled_gone: (since: string) =>
      `The service disabled this webhook on ${since}, because the receiver answered that it wants no more deliveries (HTTP 410).`,
    disabled_backlog: (since: string) =>
      `The service disabled this webhook on ${since}, because the receiver accepts deliveries too slowly and too many were pending. Make the receiver quicker, activate the webhook, and send the failed deliveries again. Events that happen meanwhile are not sent later.`,
  },
  activate: 'Activate',
  secret: 'Secret of the webhook',
  secretOnce:
    'Copy the secret now: it is not shown again. The receiver verifies with it that deliveries come from here.',
  secretKept: 'I have stored it',
  rotate: 'New secret',
  rotateQuestion:
    'The webhook gets a new secret, which is shown once. The present one remains valid for a day.',
  deleteQuestion: (url: string) =>
    `The webhook to ${url} and its deliveries will be deleted. This cannot be undone.`,
  deleted: 'The webhook was deleted.',
  test: 'Send a test',
  testEvent: 'Test',
  deliveries: 'Deliveries',
  delivery: 'Delivery',
  noDeliveries: 'There are no such deliveries. A test sends one at once.',
  time: 'Time',
  event: 'Event',
  attempts: 'Attempts',
  noAttempts: 'Nothing has been sent yet.',
  underWay: 'no answer yet',
  result: 'Result',
  response: 'Answer of the receiver',
  payload: 'What is sent',
  statuses: { pending: 'Pending', delivered: 'Delivered', failed: 'Failed' },
  nextAttempt: (time: string) => `next attempt: ${time}`,
  redeliver: 'Send again',
  redelivering: 'The delivery is sent again.',
  replay: 'Send a period again',
  replayStart: 'Send again',
  replayHelp:
    'Sends the deliveries of a period once more, with the same ids: the receiver can recognize those that it knows.',
  from: 'From',
  to: 'Until',
  toHelp: (zone: string) => `Empty: until now. Time zone: ${zone}`,
  which: 'Which deliveries',
  fromMissing: 'Choose the beginning of the period.',
  reversed: 'The end must not be before the beginning.',
  replaying: (n: number) =>
    n === 0
      ? 'There were no such deliveries in this period.'
      : plural(n, '1 delivery is sent again.', `${n} deliveries are sent again.`),
};

export default en;
export type WebhookTexts = typeof en;
