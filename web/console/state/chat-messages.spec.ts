import type { ChatMessage } from '../../shared/socket';
import { mergeMessages } from './chat-messages';

const message = (id: string, at: string): ChatMessage => ({ id, from: 'agent', text: id, at });
const [a, b, c] = [
  message('a', '2026-01-01T10:00:00Z'),
  message('b', '2026-01-01T10:00:01Z'),
  message('c', '2026-01-01T10:00:02Z'),
];

describe('mergeMessages', () => {
  it.each([
    ['a new message', [a, b], [c]],
    ['messages that were missed', [c], [a, b, c]],
    ['a message that was there already', [a, b, c], [b]],
  ])('has each message once, the oldest first: %s', (_, known, more) => {
    expect(mergeMessages(known, more)).toEqual([a, b, c]);
  });
});
