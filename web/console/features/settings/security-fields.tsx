import { Switch } from '@mantine/core';
import type { UseFormReturnType } from '@mantine/form';
import { FormGroup } from '../../ui/form/form-group';
import type { SettingsValues } from './form-values';
import { settingsTexts } from './texts/texts';

export function SecurityFields({ form }: { form: UseFormReturnType<SettingsValues> }) {
  const texts = settingsTexts.use();
  return (
    <FormGroup title={texts.security}>
      <Switch
        label={texts.mfaRequired}
        description={texts.mfaRequiredText}
        {...form.getInputProps('mfa_required', { type: 'checkbox' })}
      />
      <Switch
        label={texts.restrict}
        description={texts.restrictText}
        {...form.getInputProps('restrict_attendants', { type: 'checkbox' })}
      />
    </FormGroup>
  );
}
