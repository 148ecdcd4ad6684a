import { Badge, Tabs, VisuallyHidden } from '@mantine/core';
import { useEffect, useState } from 'react';
import type { AgentCall } from '../../state/agent-call';
import { CallTags } from '../../ui/call-tags/call-tags';
import { useShortcut } from '../../ui/shortcuts/use-shortcut';
import { useSignalValue } from '../../ui/use-signal-value';
import { CallStorage } from '../../state/call-storage';
import { ChatPanel } from './chat/chat-panel';
import { useUnread } from './chat/unread';
import { CustomerPanel } from './customer/customer-panel';
import { FilesPanel } from './files/files-panel';
import { NotesPanel } from './notes/notes-panel';
import { callTexts } from './texts/texts';

const TAB = 'tab';
const TABS = ['customer', 'chat', 'files'] as const;
type Tab = (typeof TABS)[number];

/** What belongs to the customer, and below it what the agent writes about the call. */
export function CallSide({ call }: { call: AgentCall }) {
  const { tabs: labels, chat } = callTexts.use();
  const [tab, setTab] = useState(() => tabOf(new CallStorage(call.id).read(TAB)));
  const [wantsField, setWantsField] = useState(false);
  const { notes } = useSignalValue(call.call);
  const unread = useUnread(call, tab === 'chat');
  const open = (name: string | null) => {
    const next = tabOf(name);
    setTab(next);
    new CallStorage(call.id).keep(TAB, next);
  };
  useEffect(() => {
    if (!wantsField) return;
    focusOn('call-chat-input');
    setWantsField(false);
  }, [wantsField]);
  useShortcut({
    keys: 'c',
    label: chat.focus,
    action: () => {
      open('chat');
      setWantsField(true);
    },
    onlyOpens: true,
  });
  useShortcut({ keys: 'i', label: labels.customer, action: () => open('customer'), onlyOpens: true });
  useShortcut({ keys: 'f', label: labels.files, action: () => open('files'), onlyOpens: true });
  return (
    <div className="call-side">
      <Tabs value={tab} onChange={open} className="call-tabs">
        <Tabs.List grow>
          <Tabs.Tab value="customer" data-testid="tab-customer">
            {labels.customer}
          </Tabs.Tab>
          <Tabs.Tab
            value="chat"
            data-testid="tab-chat"
            rightSection={
              unread > 0 && (
                <Badge size="sm" circle color="red" aria-hidden data-testid="chat-unread">
                  {unread}
                </Badge>
              )
            }
          >
            {labels.chat}
          </Tabs.Tab>
          <Tabs.Tab value="files" data-testid="tab-files">
            {labels.files}
          </Tabs.Tab>
        </Tabs.List>
        <VisuallyHidden role="status">{unread > 0 ? chat.unread(unread) : ''}</VisuallyHidden>
        <Tabs.Panel value="customer">
          <CustomerPanel call={call} />
        </Tabs.Panel>
        <Tabs.Panel value="chat">
          <ChatPanel call={call} isShown={tab === 'chat'} />
        </Tabs.Panel>
        <Tabs.Panel value="files">
          <FilesPanel callId={call.id} />
        </Tabs.Panel>
      </Tabs>
      <div className="call-written">
        <NotesPanel callId={call.id} notes={notes ?? ''} />
        <CallTags callId={call.id} />
      </div>
    </div>
  );
}

const tabOf = (name: string | null): Tab => TABS.find((tab) => tab === name) ?? 'customer';

const focusOn = (id: string) => document.getElementById(id)?.focus();
