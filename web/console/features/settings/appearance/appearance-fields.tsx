import { ColorInput } from '@mantine/core';
import type { UseFormReturnType } from '@mantine/form';
import { FormGroup } from '../../../ui/form/form-group';
import type { SettingsValues } from '../form-values';
import { settingsTexts } from '../texts/texts';
import type { Tenant } from '../use-tenant';
import { ColorPreview } from './color-preview';
import { LogoField } from './logo-field';

/** What customers see of the company. */
export function AppearanceFields({
  form,
  tenant,
}: {
  form: UseFormReturnType<SettingsValues>;
  tenant: Tenant;
}) {
  const texts = settingsTexts.use();
  const { primary_color, name } = form.values;
  return (
    <FormGroup title={texts.appearance} text={texts.appearanceText}>
      <LogoField logoUrl={tenant.logo_url} />
      <ColorInput
        label={texts.color}
        description={texts.colorText}
        format="hex"
        fixOnBlur={false}
        eyeDropperButtonProps={{ 'aria-label': texts.pickColor }}
        maw="20rem"
        data-testid="color"
        {...form.getInputProps('primary_color')}
      />
      <ColorPreview color={primary_color} name={name} logoUrl={tenant.logo_url} />
    </FormGroup>
  );
}
