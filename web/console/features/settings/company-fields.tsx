import { NativeSelect, TextInput } from '@mantine/core';
import type { UseFormReturnType } from '@mantine/form';
import { FormGroup } from '../../ui/form/form-group';
import { ZoneSelect } from '../../ui/form/zone-select';
import type { SettingsValues } from './form-values';
import { settingsTexts } from './texts/texts';

const LANGUAGES = ['pt-BR', 'pt-PT', 'en', 'es'];

export function CompanyFields({ form, slug }: { form: UseFormReturnType<SettingsValues>; slug: string }) {
  const texts = settingsTexts.use();
  const { language } = form.values;
  const names = new Intl.DisplayNames([document.documentElement.lang], { type: 'language' });
  const languages = LANGUAGES.includes(language) ? LANGUAGES : [...LANGUAGES, language];
  return (
    <FormGroup title={texts.company} text={texts.slug(slug)}>
      <TextInput label={texts.name} required data-testid="company-name" {...form.getInputProps('name')} />
      <NativeSelect
        label={texts.language}
        description={texts.languageText}
        data={languages.map((value) => ({ value, label: names.of(value) ?? value }))}
        {...form.getInputProps('language')}
      />
      <ZoneSelect
        label={texts.timezone}
        description={texts.timezoneText}
        {...form.getInputProps('timezone')}
      />
    </FormGroup>
  );
}
