import { NativeSelect, Select, TextInput } from '@mantine/core';
import type { UseFormReturnType } from '@mantine/form';
import { FormGroup } from '../../ui/form/form-group';
import { ZoneSelect } from '../../ui/form/zone-select';
import { COUNTRIES } from './countries';
import type { SettingsValues } from './form-values';
import { settingsTexts } from './texts/texts';

const LANGUAGES = ['pt-BR', 'pt-PT', 'en', 'es'];

export function CompanyFields({ form, slug }: { form: UseFormReturnType<SettingsValues>; slug: string }) {
  const texts = settingsTexts.use();
  const { language } = form.values;
  const names = new Intl.DisplayNames([document.documentElement.lang], { type: 'language' });
  const countryNames = new Intl.DisplayNames([document.documentElement.lang], { type: 'region' });
  const countries = COUNTRIES.map((value) => ({ value, label: countryNames.of(value) ?? value })).sort(
    (one, other) => one.label.localeCompare(other.label),
  );
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
      <Select
        label={texts.country}
        description={texts.countryText}
        data={countries}
        searchable
        allowDeselect={false}
        {...form.getInputProps('country')}
      />
    </FormGroup>
  );
}
