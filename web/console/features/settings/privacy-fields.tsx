import { Textarea, TextInput } from '@mantine/core';
import type { UseFormReturnType } from '@mantine/form';
import { FormGroup } from '../../ui/form/form-group';
import type { SettingsValues } from './form-values';
import { settingsTexts } from './texts/texts';

/** What customers read under the form about the use of their data. */
export function PrivacyFields({ form }: { form: UseFormReturnType<SettingsValues> }) {
  const texts = settingsTexts.use();
  return (
    <FormGroup title={texts.privacy} text={texts.privacyText}>
      <TextInput
        label={texts.privacyUrl}
        description={texts.privacyUrlText}
        type="url"
        maxLength={2000}
        data-testid="privacy-url"
        {...form.getInputProps('privacy_url')}
      />
      <Textarea
        label={texts.privacyWords}
        maxLength={500}
        autosize
        minRows={2}
        data-testid="privacy-text"
        {...form.getInputProps('privacy_text')}
      />
    </FormGroup>
  );
}
