import { Text, TextInput } from '@mantine/core';
import { useForm } from '@mantine/form';
import { unwrap } from '../../../../shared/api/client';
import { useApi } from '../../../state/console-context';
import { useCommonTexts } from '../../../texts/texts';
import { FormDialog } from '../../../ui/form/form-dialog';
import { useSave } from '../../../ui/form/use-save';
import { accountTexts } from '../texts/texts';

/** Switches the second factor off with one of its codes. */
export function SwitchOffDialog({ onClose, onDone }: { onClose: () => void; onDone: () => Promise<void> }) {
  const texts = accountTexts.use().twoStep;
  const { login } = useCommonTexts();
  const api = useApi();
  const form = useForm({ initialValues: { code: '' } });
  const save = useSave({
    form,
    send: ({ code }) => unwrap(api.DELETE('/api/v1/users/me/mfa', { body: { code: code.trim() } })),
    done: onDone,
  });
  return (
    <FormDialog title={texts.switchOff} isOpen onClose={onClose} save={save} submitLabel={texts.switchOff}>
      <Text size="sm">{texts.switchOffText}</Text>
      <TextInput
        label={login.code}
        autoComplete="one-time-code"
        required
        data-autofocus
        data-testid="mfa-code"
        {...form.getInputProps('code')}
      />
    </FormDialog>
  );
}
