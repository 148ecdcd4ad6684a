import type { WebhookTexts } from '../texts/en';

/** @returns the event in words; tests have an event of their own */
export function eventName(event: string, { eventNames, testEvent }: WebhookTexts): string {
  if (event === 'webhook.test') return testEvent;
  return (eventNames as Readonly<Record<string, string>>)[event] ?? event;
}
