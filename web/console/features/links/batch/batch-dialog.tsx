import { Button, FileButton, Group, Text, Textarea } from '@mantine/core';
import { useForm } from '@mantine/form';
import { useZone, type Zone } from '../../../state/use-zone';
import { FormDialog } from '../../../ui/form/form-dialog';
import { useAttempt } from '../../../ui/use-attempt';
import { LinkFields } from '../link-fields';
import { EMPTY_LINK } from '../link-values';
import { linkTexts } from '../texts/texts';
import type { AccessLink } from '../use-links';
import { BATCH_COLUMNS } from './batch.rules';
import { BatchProblems } from './batch-problems';
import { MAX_LINKS, useBatch, type BatchValues } from './use-batch';

interface BatchDialogProps {
  onClose: () => void;
  onCreated: (links: AccessLink[]) => unknown;
}

/** Creates many links from lines, pasted or of a file. */
export function BatchDialog(props: BatchDialogProps) {
  const zone = useZone();
  return zone ? <BatchForm {...props} zone={zone} /> : null;
}

function BatchForm({ onClose, onCreated, zone }: BatchDialogProps & { zone: Zone }) {
  const texts = linkTexts.use();
  const attempt = useAttempt();
  const form = useForm<BatchValues>({
    initialValues: { ...EMPTY_LINK, lines: '' },
    validate: { lines: () => (isReady ? null : problemOfLines()) },
  });
  const { lines, bad, refused, isReady, save } = useBatch(form, zone.name, onCreated);
  const problemOfLines = () => {
    if (lines.length === 0) return texts.batchEmpty;
    return lines.length > MAX_LINKS ? texts.batchTooMany(MAX_LINKS) : texts.batchBad(bad.length);
  };
  const readFile = (file: File | null) => {
    if (file) attempt(async () => form.setFieldValue('lines', await file.text()));
  };
  return (
    <FormDialog
      title={texts.createBatch}
      isOpen
      onClose={onClose}
      save={save}
      submitLabel={texts.createCount(lines.length)}
      size="xl"
    >
      <Textarea
        label={texts.lines}
        description={texts.linesHint(BATCH_COLUMNS.join('; '))}
        autosize
        minRows={5}
        maxRows={12}
        data-autofocus
        data-testid="batch-lines"
        {...form.getInputProps('lines')}
      />
      <Group>
        <FileButton onChange={readFile} accept=".csv,.tsv,.txt,text/csv,text/plain">
          {(props) => (
            <Button variant="default" size="xs" {...props}>
              {texts.readFile}
            </Button>
          )}
        </FileButton>
        <Text size="sm" role="status">
          {texts.linesRead(lines.length, bad.length)}
        </Text>
      </Group>
      <BatchProblems bad={bad} refused={refused} />
      <Text fw={600}>{texts.defaults}</Text>
      <LinkFields form={form} zone={zone} />
    </FormDialog>
  );
}
