import type { ChatMessage } from '../state/server.types';
import { SocketError } from '../../shared/socket-error';
import { ChatLog } from './chat-log';

const message = (id: string, from: ChatMessage['from'] = 'agent'): ChatMessage => ({
  id,
  from,
  text: `text of ${id}`,
  at: '2026-03-02T12:00:00.000Z',
});

const at = (id: string, second: number): ChatMessage => ({
  ...message(id),
  at: `2026-03-02T12:00:0${second}.000Z`,
});

function open(memory: { lastRead?: string } = {}) {
  const sent: { text: string; client_id: string }[] = [];
  const answers: (ChatMessage | Error)[] = [];
  let ids = 0;
  const chat = new ChatLog(
    async (of) => {
      sent.push(of);
      const answer = answers.shift() ?? new SocketError('chat_full', 'There are too many messages.');
      if (answer instanceof Error) throw answer;
      return answer;
    },
    () => `client-${++ids}`,
    memory,
  );
  const shown = () => chat.entries.value.map(({ id, delivery }) => [id, delivery]);
  return { chat, sent, answers, shown };
}

describe('ChatLog', () => {
  it('shows a message at once, and the one of the service in its place', async () => {
    const { chat, answers, shown } = open();
    answers.push(message('1', 'customer'));
    const sending = chat.write('Hello');
    expect(shown()).toEqual([['client-1', 'sending']]);
    await sending;
    expect(shown()).toEqual([['1', 'sent']]);
    chat.take({ ...message('1', 'customer'), client_id: 'client-1' });
    expect(shown()).toEqual([['1', 'sent']]);
  });

  it('offers to send again what was not sent, as the same message', async () => {
    const { chat, answers, sent, shown } = open();
    await chat.write('Hello');
    expect(shown()).toEqual([['client-1', 'failed']]);
    expect(chat.entries.value[0]?.refusal).toBe('chat_full');
    answers.push(message('1', 'customer'));
    await chat.write('Hello', 'client-1');
    expect(shown()).toEqual([['1', 'sent']]);
    expect(sent.map(({ client_id }) => client_id)).toEqual(['client-1', 'client-1']);
  });

  it('sends what could not be sent as soon as the connection is back', async () => {
    const { chat, answers, sent, shown } = open();
    answers.push(new SocketError('disconnected', 'There is no connection.'));
    await chat.write('Hello');
    expect(shown()).toEqual([['client-1', 'unsent']]);
    answers.push(message('2', 'customer'));
    chat.takeSnapshot([message('1')]);
    await Promise.resolve();
    expect(sent.map(({ client_id }) => client_id)).toEqual(['client-1', 'client-1']);
    await Promise.resolve();
    expect(shown()).toEqual([
      ['1', 'sent'],
      ['2', 'sent'],
    ]);
  });

  it('shows one message when only its acknowledgement was lost', async () => {
    const { chat, answers, shown } = open();
    await chat.write('Hello');
    chat.takeSnapshot([message('1', 'customer')]);
    answers.push(message('1', 'customer'));
    await chat.write('Hello', 'client-1');
    expect(shown()).toEqual([['1', 'sent']]);
  });

  it('keeps what is not sent after a snapshot, in its order', async () => {
    const { chat, shown } = open();
    chat.take(message('1'));
    await chat.write('Hello');
    chat.takeSnapshot([message('1'), message('2')]);
    expect(shown()).toEqual([
      ['1', 'sent'],
      ['2', 'sent'],
      ['client-1', 'failed'],
    ]);
  });

  it('keeps what was received before the latest messages, and while they were read', () => {
    const { chat, shown } = open();
    for (const [id, second] of [
      ['1', 1],
      ['2', 2],
      ['3', 3],
    ] as const)
      chat.take(at(id, second));
    chat.takeSnapshot([at('2', 2)]);
    expect(shown().map(([id]) => id)).toEqual(['1', '2', '3']);
    chat.takeSnapshot([]);
    expect(shown().map(([id]) => id)).toEqual(['1', '2', '3']);
  });

  it('counts the messages of the agent that were not read', () => {
    const { chat } = open();
    chat.takeSnapshot([message('1'), message('2', 'customer')]);
    expect(chat.unread.value).toBe(1);
    chat.markRead();
    expect(chat.unread.value).toBe(0);
    chat.take(message('3'));
    expect(chat.unread.value).toBe(1);
  });

  it('knows after a reload what was read', () => {
    const memory = {};
    const { chat } = open(memory);
    chat.takeSnapshot([message('1'), message('2')]);
    chat.markRead();
    const { chat: reloaded } = open(memory);
    expect(reloaded.unread.value).toBe(0);
    reloaded.takeSnapshot([message('1'), message('2'), message('3')]);
    expect(reloaded.unread.value).toBe(1);
  });
});
