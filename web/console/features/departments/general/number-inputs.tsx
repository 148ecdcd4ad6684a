import { NumberInput } from '@mantine/core';
import type { UseFormReturnType } from '@mantine/form';
import { DurationInput } from '../../../ui/form/duration-input';
import { departmentTexts } from '../texts/texts';
import { isOptional, NUMBER_FIELDS, type GeneralValues, type NumberField } from './form-values';

interface NumberInputsProps {
  form: UseFormReturnType<GeneralValues>;
  names: readonly NumberField[];
}

/** Fields for numbers, each with its unit. Limits are the service's, which says them at the field. */
export function NumberInputs({ form, names }: NumberInputsProps) {
  const { fields, units, never } = departmentTexts.use();
  return names.map((name) => {
    const { unit } = NUMBER_FIELDS[name];
    const shared = {
      label: fields[name].label,
      description: fields[name].help,
      placeholder: isOptional(name) ? never : undefined,
      ...form.getInputProps(name),
    };
    return unit === 'seconds' ? (
      <DurationInput key={name} name={name} {...shared} />
    ) : (
      <NumberInput
        key={name}
        suffix={` ${units[unit]}`}
        allowDecimal={false}
        allowNegative={false}
        clampBehavior="none"
        maw="28rem"
        data-testid={name}
        {...shared}
      />
    );
  });
}
