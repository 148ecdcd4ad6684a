import { Button, Group, Input, NativeSelect, Skeleton, Stack, Text } from '@mantine/core';
import { useForm } from '@mantine/form';
import { unwrap } from '../../../shared/api/client';
import { useApi } from '../../state/console-context';
import { useSkills } from '../../state/use-skills';
import { PageForm } from '../../ui/form/page-form';
import { useSave } from '../../ui/form/use-save';
import { ProblemNotice } from '../../ui/problem-notice';
import { userTexts } from './texts/texts';
import type { User } from './user';

const LEVELS = ['1', '2', '3', '4', '5'];

/** The skills of a user, each with a level from 1 to 5. */
export function SkillsForm({ user, onSaved }: { user: User; onSaved: () => Promise<void> }) {
  const texts = userTexts.use();
  const api = useApi();
  const { data, isPending, error, refetch } = useSkills();
  const form = useForm({
    initialValues: { skills: user.skills.map(({ skill_id, level }) => ({ skill_id, level: String(level) })) },
  });
  const save = useSave({
    form,
    send: ({ skills }) =>
      unwrap(
        api.PUT('/api/v1/users/{id}/skills', {
          params: { path: { id: user.id } },
          body: { skills: skills.map(({ skill_id, level }) => ({ skill_id, level: Number(level) })) },
        }),
      ),
    done: onSaved,
  });
  const { skills } = form.values;
  const nameOf = (id: string) => data?.find((skill) => skill.id === id)?.name ?? '';
  const others = data?.filter(({ id }) => !skills.some(({ skill_id }) => skill_id === id)) ?? [];
  if (isPending) return <Skeleton height={120} />;
  if (error) return <ProblemNotice error={error} onRetry={refetch} />;
  if (data.length === 0) return <Text>{texts.noSkills}</Text>;
  return (
    <PageForm save={save}>
      <Text size="sm">{texts.skillsText}</Text>
      <Stack data-path="skills" tabIndex={-1}>
        {form.errors['skills'] && <Input.Error role="alert">{form.errors['skills']}</Input.Error>}
        {skills.map(({ skill_id }, index) => (
          <Group key={skill_id} align="end" wrap="nowrap">
            <NativeSelect
              style={{ flexGrow: 1 }}
              label={nameOf(skill_id)}
              data={LEVELS.map((value) => ({ value, label: texts.level(value) }))}
              {...form.getInputProps(`skills.${index}.level`)}
            />
            <Button
              variant="default"
              aria-label={texts.removeSkill(nameOf(skill_id))}
              onClick={() => form.removeListItem('skills', index)}
            >
              {texts.remove}
            </Button>
          </Group>
        ))}
      </Stack>
      {others.length > 0 && (
        <NativeSelect
          label={texts.addSkill}
          data={[
            { value: '', label: texts.chooseSkill },
            ...others.map(({ id, name }) => ({ value: id, label: name })),
          ]}
          value=""
          onChange={({ currentTarget }) =>
            currentTarget.value &&
            form.insertListItem('skills', { skill_id: currentTarget.value, level: '3' })
          }
          data-testid="add-skill"
        />
      )}
    </PageForm>
  );
}
