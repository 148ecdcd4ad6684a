import {
  Button,
  CloseButton,
  Fieldset,
  Group,
  Input,
  NativeSelect,
  NumberInput,
  Stack,
  Text,
} from '@mantine/core';
import type { UseFormReturnType } from '@mantine/form';
import { useSkills } from '../../state/use-skills';
import { requiredSkillTexts } from './texts/texts';
import type { RequiredSkillValue } from './required-skill';

const MAX_LEVEL = 5;

interface FormOfSkills {
  skills: RequiredSkillValue[];
}

/** The skills that an agent needs for a call. */
export function SkillFields({ form }: { form: UseFormReturnType<FormOfSkills> }) {
  const texts = requiredSkillTexts.use();
  const { data: skills = [] } = useSkills();
  const { skills: required } = form.getValues();
  const unused = skills.filter(({ id }) => !required.some(({ skill_id }) => skill_id === id));
  const [next] = unused;
  if (skills.length === 0) return null;
  return (
    <Fieldset legend={texts.skills} data-path="skills" tabIndex={-1}>
      <Stack gap="xs">
        {required.length === 0 && (
          <Text size="sm" c="dimmed">
            {texts.noSkills}
          </Text>
        )}
        {required.map(({ skill_id }, index) => (
          <Group key={skill_id} wrap="nowrap" align="start" gap="xs">
            <NativeSelect
              aria-label={texts.skill(index + 1)}
              style={{ flex: 1 }}
              data={skills
                .filter((skill) => skill.id === skill_id || unused.includes(skill))
                .map(({ id, name }) => ({ value: id, label: name }))}
              {...form.getInputProps(`skills.${index}.skill_id`)}
            />
            <NumberInput
              aria-label={texts.minLevel(index + 1)}
              w="7rem"
              min={1}
              max={MAX_LEVEL}
              allowDecimal={false}
              {...form.getInputProps(`skills.${index}.min_level`)}
            />
            <CloseButton
              mt={4}
              aria-label={texts.removeSkill(index + 1)}
              onClick={() => form.removeListItem('skills', index)}
            />
          </Group>
        ))}
        {form.errors['skills'] && <Input.Error role="alert">{form.errors['skills']}</Input.Error>}
        {next && (
          <Group>
            <Button
              size="xs"
              variant="default"
              onClick={() => form.insertListItem('skills', { skill_id: next.id, min_level: 1 })}
            >
              {texts.addSkill}
            </Button>
          </Group>
        )}
      </Stack>
    </Fieldset>
  );
}
