import { computed, type Signal, signal } from '@preact/signals';
import { SocketError } from '../../shared/socket-error';
import type { ChatMessage } from '../state/server.types';

/** A message as the page shows it. */
export interface ChatEntry extends ChatMessage {
  /** Set on messages that this page has sent. */
  client_id?: string | null;
  /** `unsent` for want of a connection: it is sent with the next one. `failed`: the service refused it. */
  delivery: 'sent' | 'sending' | 'unsent' | 'failed';
  /** The code with which the service refused it. */
  refusal?: string;
}

/**
 * The messages after the service has sent its list of the latest ones. What it has sent before stays: older messages, and those
 * that were written while it read the list. What it does not know yet stays at the end.
 */
export function withSnapshot(entries: readonly ChatEntry[], messages: readonly ChatMessage[]): ChatEntry[] {
  const known = new Set(messages.map(({ id }) => id));
  const clientIds = new Map(entries.map(({ id, client_id }) => [id, client_id]));
  const others = entries.filter(({ id }) => !known.has(id));
  const listed = messages.map((message) => ({
    ...message,
    client_id: clientIds.get(message.id),
    delivery: 'sent' as const,
  }));
  const firstListed = entries.findIndex(({ id }) => known.has(id));
  const isOlder = (entry: ChatEntry) =>
    firstListed >= 0
      ? entries.indexOf(entry) < firstListed
      : Date.parse(entry.at) < Date.parse(messages[0]?.at ?? entry.at);
  const sent = others.filter(({ delivery }) => delivery === 'sent');
  return [
    ...sent.filter(isOlder),
    ...listed,
    ...sent.filter((entry) => !isOlder(entry)),
    ...others.filter(({ delivery }) => delivery !== 'sent'),
  ];
}

/** The messages after one has arrived: it replaces the one that this page has shown before it was sent. */
export function withMessage(
  entries: readonly ChatEntry[],
  message: ChatMessage & { client_id?: string | null },
): ChatEntry[] {
  const entry: ChatEntry = { ...message, delivery: 'sent' };
  const { id, client_id } = message;
  const isSame = (known: ChatEntry) =>
    known.id === id || (client_id !== undefined && client_id !== null && known.client_id === client_id);
  const index = entries.findIndex(isSame);
  // Two are the same when the acknowledgement of a message was lost and the snapshot already has it.
  const others = entries.filter((known) => !isSame(known));
  return index < 0 ? [...others, entry] : [...others.slice(0, index), entry, ...others.slice(index)];
}

type Send = (message: { text: string; client_id: string }) => Promise<ChatMessage>;

interface ReadMemory {
  /** The id of the agent's last message that the customer has seen. */
  lastRead?: string | undefined;
}

/** The conversation in writing. */
export class ChatLog {
  readonly entries = signal<readonly ChatEntry[]>([]);
  private readonly lastRead: Signal<string | undefined>;
  readonly unread = computed(() => {
    const received = this.received();
    return received.length - 1 - received.findIndex(({ id }) => id === this.lastRead.value);
  });

  /** @param memory keeps over a reload what was read */
  constructor(
    private readonly send: Send,
    private readonly newId: () => string,
    private readonly memory: ReadMemory = {},
  ) {
    this.lastRead = signal(memory.lastRead);
  }

  /** The connection is there (again): what could not be sent is sent now. */
  takeSnapshot(messages: readonly ChatMessage[]): void {
    this.entries.value = withSnapshot(this.entries.value, messages);
    for (const { delivery, text, id } of this.entries.value) {
      if (delivery === 'unsent') void this.write(text, id);
    }
  }

  take(message: ChatMessage & { client_id?: string | null }): void {
    this.entries.value = withMessage(this.entries.value, message);
  }

  /** The customer has seen all messages. */
  markRead(): void {
    this.lastRead.value = this.received().pop()?.id;
    this.memory.lastRead = this.lastRead.value;
  }

  clear(): void {
    this.entries.value = [];
  }

  /** Shows the message at once. Sending it again after a failure never adds a second one. */
  async write(text: string, clientId = this.newId()): Promise<void> {
    const draft = { id: clientId, client_id: clientId, from: 'customer' as const, text };
    const pending = { ...draft, at: new Date().toISOString() };
    this.entries.value = withMessage(this.entries.value, pending).map((entry) =>
      entry.client_id === clientId ? { ...entry, delivery: 'sending' } : entry,
    );
    try {
      this.take({ ...(await this.send({ text, client_id: clientId })), client_id: clientId });
    } catch (error) {
      const delivery = isUnanswered(error) ? 'unsent' : 'failed';
      const refusal = error instanceof SocketError ? error.code : '';
      this.entries.value = this.entries.value.map((entry) =>
        entry.id === clientId ? { ...entry, delivery, refusal } : entry,
      );
    }
  }

  private received(): ChatEntry[] {
    return this.entries.value.filter(({ from }) => from === 'agent');
  }
}

const isUnanswered = (error: unknown): boolean =>
  error instanceof SocketError && ['timeout', 'disconnected'].includes(error.code);
