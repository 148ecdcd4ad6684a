import { Group, Textarea, TextInput } from '@mantine/core';
import { useForm } from '@mantine/form';
import { useQueryClient } from '@tanstack/react-query';
import { unwrap } from '../../../shared/api/client';
import { useApi } from '../../state/console-context';
import { useCommonTexts } from '../../texts/texts';
import { ConfirmButton } from '../../ui/confirm-button';
import { FormDialog } from '../../ui/form/form-dialog';
import { useSave } from '../../ui/form/use-save';
import { SKILLS_KEY, type Skill } from '../../state/use-skills';
import { skillTexts } from './texts/texts';

/** @param skill null for a new one */
export function SkillDialog({ skill, onClose }: { skill: Skill | null; onClose: () => void }) {
  const texts = skillTexts.use();
  const common = useCommonTexts();
  const api = useApi();
  const queries = useQueryClient();
  const form = useForm({
    initialValues: { name: skill?.name ?? '', description: skill?.description ?? '' },
  });
  const done = async () => {
    await queries.invalidateQueries({ queryKey: SKILLS_KEY });
    onClose();
  };
  const save = useSave({
    form,
    send: (values) => {
      const body = { ...values, description: values.description || null };
      return skill
        ? unwrap(api.PUT('/api/v1/skills/{id}', { params: { path: { id: skill.id } }, body }))
        : unwrap(api.POST('/api/v1/skills', { body }));
    },
    done,
  });
  const remove = async (id: string) => {
    await unwrap(api.DELETE('/api/v1/skills/{id}', { params: { path: { id } } }));
    await done();
  };
  return (
    <FormDialog title={skill ? texts.edit(skill.name) : texts.create} isOpen onClose={onClose} save={save}>
      <TextInput
        label={texts.name}
        required
        data-autofocus
        data-testid="skill-name"
        {...form.getInputProps('name')}
      />
      <Textarea label={common.description} autosize minRows={2} {...form.getInputProps('description')} />
      {skill && (
        <Group>
          <ConfirmButton
            label={common.remove}
            question={texts.deleteQuestion(skill.name)}
            action={() => remove(skill.id)}
            data-testid="delete-skill"
          />
        </Group>
      )}
    </FormDialog>
  );
}
