import { Button, CloseButton, Fieldset, Group, Stack, TextInput } from '@mantine/core';
import type { UseFormReturnType } from '@mantine/form';
import type { CustomerValues } from './use-customers';
import { customerTexts } from './texts/texts';

/** The company's own data about a customer: names with values. */
export function MetadataFields({ form }: { form: UseFormReturnType<CustomerValues> }) {
  const texts = customerTexts.use();
  const { metadata } = form.getValues();
  return (
    <Fieldset legend={texts.metadata}>
      <Stack gap="xs">
        {metadata.map((_, index) => (
          <Group key={form.key(`metadata.${index}`)} wrap="nowrap" align="start" gap="xs">
            <TextInput
              aria-label={texts.metadataName(index + 1)}
              placeholder={texts.metadataNameHint}
              style={{ flex: 1 }}
              {...form.getInputProps(`metadata.${index}.name`)}
            />
            <TextInput
              aria-label={texts.metadataValue(index + 1)}
              placeholder={texts.metadataValueHint}
              style={{ flex: 1 }}
              {...form.getInputProps(`metadata.${index}.value`)}
            />
            <CloseButton
              mt={4}
              aria-label={texts.removeMetadata(index + 1)}
              onClick={() => form.removeListItem('metadata', index)}
            />
          </Group>
        ))}
        <Group>
          <Button
            variant="default"
            size="xs"
            onClick={() => form.insertListItem('metadata', { name: '', value: '' })}
          >
            {texts.addMetadata}
          </Button>
        </Group>
      </Stack>
    </Fieldset>
  );
}
