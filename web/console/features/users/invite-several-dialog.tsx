import { Button, Group, Stack, Text, Textarea } from '@mantine/core';
import { useForm } from '@mantine/form';
import { useQueryClient } from '@tanstack/react-query';
import { useState } from 'react';
import { ApiError, unwrap } from '../../../shared/api/client';
import { useApi } from '../../state/console-context';
import { useCommonTexts } from '../../texts/texts';
import { Dialog } from '../../ui/dialog/dialog';
import { FieldSentences, loadFieldTranslator } from '../../ui/form/field-sentences';
import { FormDialog } from '../../ui/form/form-dialog';
import { useSave } from '../../ui/form/use-save';
import { inviteesIn, type Invitee } from './invitation-lines';
import { InvitationResults, type LineResult } from './invitation-results';
import { userTexts } from './texts/texts';
import { USERS_KEY } from './user';
import { RoleFields, type RoleValues } from './user-fields';

const MAX_INVITEES = 100;

interface SeveralValues extends RoleValues {
  addresses: string;
}

/** Invites a list of people, who get one role and the same departments. Shows what became of each line. */
export function InviteSeveralDialog({ onClose }: { onClose: () => void }) {
  const texts = userTexts.use();
  const common = useCommonTexts();
  const api = useApi();
  const queries = useQueryClient();
  const [results, setResults] = useState<LineResult[]>([]);
  const [isDone, setDone] = useState(false);
  const form = useForm<SeveralValues>({
    initialValues: { addresses: '', role: 'attendant', department_ids: [] },
    validate: {
      addresses: (text) => {
        const { length } = inviteesIn(text);
        return length === 0 ? texts.noAddress : length > MAX_INVITEES ? texts.tooMany : null;
      },
    },
  });
  const save = useSave({
    form,
    send: async ({ addresses, ...role }) => {
      const invitees = inviteesIn(addresses);
      setResults([]);
      try {
        await unwrap(
          api.POST('/api/v1/users/batch', {
            body: { users: invitees.map((invitee) => ({ ...invitee, ...role })) },
          }),
        );
        return invitees;
      } catch (refusal) {
        const problems = await problemsOf(refusal);
        if (problems.size === 0) throw refusal;
        setResults(invitees.map(({ email }, index) => ({ email, problem: problems.get(index) ?? null })));
        throw new FieldSentences({ addresses: texts.correctLines });
      }
    },
    done: async (invitees: Invitee[]) => {
      await queries.invalidateQueries({ queryKey: USERS_KEY });
      setResults(invitees.map(({ email }) => ({ email, problem: null })));
      setDone(true);
    },
  });
  if (isDone) {
    return (
      <Dialog opened onClose={onClose} title={texts.several} size="lg">
        <Stack>
          <InvitationResults results={results} otherwise={texts.lineInvited} />
          <Group justify="end">
            <Button onClick={onClose} data-autofocus data-testid="invited-close">
              {common.close}
            </Button>
          </Group>
        </Stack>
      </Dialog>
    );
  }
  return (
    <FormDialog
      title={texts.several}
      isOpen
      onClose={onClose}
      save={save}
      submitLabel={texts.sendInvitations}
      size="lg"
    >
      <Text size="sm">{texts.severalText}</Text>
      <Textarea
        label={texts.addresses}
        description={texts.addressesText}
        required
        autosize
        minRows={4}
        maxRows={10}
        data-autofocus
        data-testid="invite-addresses"
        {...form.getInputProps('addresses')}
      />
      <InvitationResults results={results} otherwise={texts.lineWaits} />
      <RoleFields form={form} />
    </FormDialog>
  );
}

/** @returns what the service says of single lines, by their number */
async function problemsOf(refusal: unknown): Promise<Map<number, string>> {
  const fields = refusal instanceof ApiError ? Object.entries(refusal.fields) : [];
  const translate = await loadFieldTranslator();
  return new Map(
    fields.flatMap(([path, sentences]): [number, string][] => {
      const line = /^users\.(\d+)\.(?:email|name)$/.exec(path)?.[1];
      return line === undefined ? [] : [[Number(line), translate(sentences)]];
    }),
  );
}
