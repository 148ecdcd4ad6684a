import { canRedeliver } from './redelivery.rules';

it.each([
  ['call.queued', 'delivered', true],
  ['call.queued', 'failed', true],
  ['call.queued', 'pending', false],
  ['webhook.test', 'failed', false],
  ['callback.due', 'failed', false],
] as const)('%s, %s: can be sent again %p', (event, status, expected) => {
  expect(canRedeliver({ event, status })).toBe(expected);
});
