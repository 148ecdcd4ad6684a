import type { ChatMessage } from '../../../../shared/socket';
import { countUnread } from './unread';

const message = (from: ChatMessage['from'], second: number): ChatMessage => ({
  id: `${second}`,
  from,
  text: 'Hello',
  at: `2026-01-31T12:00:0${second}.000Z`,
});

describe('countUnread', () => {
  const messages = [message('customer', 1), message('agent', 2), message('customer', 3)];

  it.each([
    ['nothing', '', 2],
    ['the first one', '2026-01-31T12:00:01.000Z', 1],
    ['all', '2026-01-31T12:00:03.000Z', 0],
  ])('counts the messages of the customer after %s was read', (_, readUntil, expected) => {
    expect(countUnread(messages, readUntil)).toBe(expected);
  });
});
