import { useEffect, useState } from 'react';
import type { ChatMessage } from '../../../../shared/socket';
import type { AgentCall } from '../../../state/agent-call';
import { useSignalValue } from '../../../ui/use-signal-value';
import { CallStorage } from '../../../state/call-storage';

const NAME = 'chat-read';

/** @param readUntil the time of the last message that was seen; an empty text if none was */
export const countUnread = (messages: readonly ChatMessage[], readUntil: string): number =>
  messages.filter(({ from, at }) => from === 'customer' && at > readUntil).length;

/** @param isOpen whether the agent sees the chat. @returns how many messages of the customer they have not seen */
export function useUnread(call: AgentCall, isOpen: boolean): number {
  const messages = useSignalValue(call.messages);
  const [readUntil, setReadUntil] = useState(() => new CallStorage(call.id).read(NAME) ?? '');
  const last = messages.at(-1)?.at ?? '';
  useEffect(() => {
    if (!isOpen || last <= readUntil) return;
    new CallStorage(call.id).keep(NAME, last);
    setReadUntil(last);
  }, [call, isOpen, last, readUntil]);
  return isOpen ? 0 : countUnread(messages, readUntil);
}
