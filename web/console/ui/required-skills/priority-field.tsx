import { NumberInput, type NumberInputProps } from '@mantine/core';
import { requiredSkillTexts } from './texts/texts';

const MAX_PRIORITY = 9;

/** How much waiting time a call is given in advance, in steps of its department. */
export function PriorityField(props: NumberInputProps) {
  const { priority, priorityHint } = requiredSkillTexts.use();
  return (
    <NumberInput
      {...props}
      label={priority}
      description={priorityHint}
      min={0}
      max={MAX_PRIORITY}
      allowDecimal={false}
    />
  );
}
