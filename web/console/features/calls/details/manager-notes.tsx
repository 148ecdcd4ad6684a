import { Button, Stack, Text, Textarea } from '@mantine/core';
import { useForm } from '@mantine/form';
import { notifications } from '@mantine/notifications';
import { useQueryClient } from '@tanstack/react-query';
import { unwrap } from '../../../../shared/api/client';
import { useApi } from '../../../state/console-context';
import { useZone } from '../../../state/use-zone';
import { useLanguage } from '../../../texts/language';
import { formatDateTime } from '../../../ui/dates';
import { useSave } from '../../../ui/form/use-save';
import { ProblemNotice } from '../../../ui/problem-notice';
import { Section } from '../section';
import { callsTexts } from '../texts/texts';
import type { Call } from '../use-call';
import { parseManagerNotes } from './manager-notes.rules';

/** What supervisors have written about the call, and a form for one more note. */
export function ManagerNotes({ call }: { call: Call }) {
  const { managerNotes: texts } = callsTexts.use();
  const language = useLanguage();
  const zone = useZone()?.name;
  const notes = parseManagerNotes(call.manager_notes);
  return (
    <Section title={texts.title}>
      {notes.length === 0 && <Text>{texts.none}</Text>}
      {notes.map(({ at, author, text }, index) => (
        // Notes have no ids, and are only ever added.
        // oxlint-disable-next-line react/no-array-index-key
        <div key={index} data-testid="manager-note">
          <Text style={{ overflowWrap: 'anywhere', whiteSpace: 'pre-wrap' }}>{text}</Text>
          <Text size="sm" c="dimmed">
            {[author, formatDateTime(at, language, zone)].filter(Boolean).join(' · ')}
          </Text>
        </div>
      ))}
      {call.status === 'completed' ? <NoteForm callId={call.id} /> : <Text size="sm">{texts.later}</Text>}
    </Section>
  );
}

function NoteForm({ callId }: { callId: string }) {
  const { managerNotes: texts } = callsTexts.use();
  const api = useApi();
  const queries = useQueryClient();
  const form = useForm({
    initialValues: { notes: '' },
    validate: { notes: (value) => (value.trim() ? null : texts.missing) },
  });
  const save = useSave({
    form,
    send: (body) =>
      unwrap(api.POST('/api/v1/calls/{id}/manager-notes', { params: { path: { id: callId } }, body })),
    stored: () => ({ notes: '' }),
    done: async () => {
      notifications.show({ message: texts.added });
      await queries.invalidateQueries({ queryKey: ['calls', callId, 'details'] });
    },
  });
  return (
    <form onSubmit={save.submit} noValidate>
      <Stack gap="sm" align="stretch">
        <Textarea
          label={texts.add}
          description={texts.hint}
          autosize
          minRows={2}
          maxLength={10_000}
          data-testid="manager-note-text"
          {...form.getInputProps('notes')}
        />
        <ProblemNotice error={save.error} />
        <Button
          type="submit"
          loading={save.isBusy}
          data-testid="manager-note-add"
          style={{ alignSelf: 'start' }}
        >
          {texts.submit}
        </Button>
      </Stack>
    </form>
  );
}
