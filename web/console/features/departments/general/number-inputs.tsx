import { NumberInput } from '@mantine/core';
import type { UseFormReturnType } from '@mantine/form';
import { departmentTexts } from '../texts/texts';
import { isOptional, NUMBER_FIELDS, type GeneralValues, type NumberField } from './form-values';

interface NumberInputsProps {
  form: UseFormReturnType<GeneralValues>;
  names: readonly NumberField[];
}

/** Fields for numbers, each with its unit. Limits are the service's, which says them at the field. */
export function NumberInputs({ form, names }: NumberInputsProps) {
  const { fields, units, never } = departmentTexts.use();
  return names.map((name) => (
    <NumberInput
      key={name}
      label={fields[name].label}
      description={fields[name].help}
      suffix={` ${units[NUMBER_FIELDS[name].unit]}`}
      placeholder={isOptional(name) ? never : undefined}
      allowDecimal={false}
      allowNegative={false}
      clampBehavior="none"
      maw="28rem"
      data-testid={name}
      {...form.getInputProps(name)}
    />
  ));
}
