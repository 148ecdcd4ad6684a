import { Button, Group, NativeSelect, Stack, Textarea } from '@mantine/core';
import { useRef, useState, type SyntheticEvent } from 'react';
import type { AgentCall } from '../../../state/agent-call';
import { useConsole } from '../../../state/console-context';
import { useCommonTexts } from '../../../texts/texts';
import { CancelButton } from '../../../ui/dialog/cancel-button';
import { Dialog } from '../../../ui/dialog/dialog';
import { handOverTexts } from '../../../ui/hand-over/texts/texts';
import { useTransferDepartments } from '../../../ui/hand-over/use-transfer-departments';
import { ProblemNotice } from '../../../ui/problem-notice';
import { useUnsaved } from '../../../ui/unsaved/use-unsaved';
import { useSignalValue } from '../../../ui/use-signal-value';
import { notesDraftOf } from '../notes/notes-drafts';
import { callTexts } from '../texts/texts';
import { agentChoices } from './agent-choices';

const MAX_NOTE = 2000;

interface TransferDialogProps {
  call: AgentCall;
  onClose: () => void;
}

/** Sends the customer to another department's queue, or asks another agent to take over. */
export function TransferDialog({ call, onClose }: TransferDialogProps) {
  const { transfer } = callTexts.use();
  const common = useCommonTexts();
  const { choose } = handOverTexts.use();
  const list = useRef<HTMLSelectElement>(null);
  const [isTargetMissing, setTargetMissing] = useState(false);
  const state = useConsole();
  const [target, setTarget] = useState('');
  const [note, setNote] = useState('');
  const [isBusy, setBusy] = useState(false);
  const [refusal, setRefusal] = useState<unknown>(null);
  const agents = agentChoices(useSignalValue(state.queue.agents), state.userId);
  const departments = useTransferDepartments(call.id);
  const send = async () => {
    setBusy(true);
    setRefusal(null);
    const [kind, id] = target.split(':');
    try {
      // Afterwards the call belongs to somebody else, who reads them.
      await notesDraftOf(state, call.id, call.call.peek().notes ?? '').flush();
      await call.transfer.start({
        ...(kind === 'agent' ? { user_id: id } : { department_id: id }),
        note: note.trim() || null,
      });
      onClose();
    } catch (error) {
      setRefusal(error);
      setBusy(false);
    }
  };
  const isDirty = note.trim() !== '';
  useUnsaved(isDirty);
  const submit = (event: SyntheticEvent) => {
    event.preventDefault();
    setTargetMissing(!target);
    if (target) void send();
    else list.current?.focus();
  };
  return (
    <Dialog opened onClose={onClose} title={transfer.title} closeOnClickOutside={false} isDirty={isDirty}>
      <form onSubmit={submit} noValidate>
        <Stack>
          <NativeSelect
            label={transfer.target}
            ref={list}
            data-testid="transfer-target"
            error={isTargetMissing && !target && choose}
            data-autofocus
            required
            value={target}
            onChange={(event) => setTarget(event.currentTarget.value)}
          >
            <option value="" />
            <optgroup label={transfer.departments}>
              {departments.options?.map(({ value, label, disabled }) => (
                <option key={value} value={`department:${value}`} disabled={disabled}>
                  {label}
                </option>
              ))}
            </optgroup>
            <optgroup label={transfer.agents}>
              {agents.map(({ user_id, name, state: live }) => (
                <option key={user_id} value={`agent:${user_id}`} disabled={live !== 'available'}>
                  {transfer.agent(name, common.agentState[live])}
                </option>
              ))}
            </optgroup>
          </NativeSelect>
          <Textarea
            label={transfer.note}
            description={transfer.noteAbout}
            data-testid="transfer-note"
            autosize
            minRows={2}
            maxRows={6}
            maxLength={MAX_NOTE}
            value={note}
            onChange={(event) => setNote(event.currentTarget.value)}
          />
          <ProblemNotice error={departments.error} onRetry={departments.refetch} />
          <ProblemNotice error={refusal} />
          <Group justify="end">
            <CancelButton />
            <Button type="submit" loading={isBusy} data-testid="transfer-submit">
              {transfer.submit}
            </Button>
          </Group>
        </Stack>
      </form>
    </Dialog>
  );
}
