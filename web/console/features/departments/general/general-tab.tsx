import { NativeSelect, SimpleGrid, Switch, Textarea, TextInput } from '@mantine/core';
import { useForm } from '@mantine/form';
import { FormGroup } from '../../../ui/form/form-group';
import { PageForm } from '../../../ui/form/page-form';
import { useSave } from '../../../ui/form/use-save';
import { useDepartments, type Department } from '../../../state/use-departments';
import { departmentTexts } from '../texts/texts';
import { useUpdateDepartment } from '../use-department';
import {
  missingNumbers,
  shownNumbers,
  toBody,
  toValues,
  type GeneralValues,
  type NumberField,
} from './form-values';
import { NumberInputs } from './number-inputs';

const ROUTINGS = ['manual', 'automatic'] as const;
const SELECTIONS = ['longest_idle', 'most_skilled', 'fewest_today'] as const;

/** Everything but hours and members. */
export function GeneralTab({ department }: { department: Department }) {
  const texts = departmentTexts.use();
  const { fields, groups } = texts;
  const update = useUpdateDepartment(department.id);
  const { data: departments = [] } = useDepartments();
  const form = useForm<GeneralValues>({
    initialValues: toValues(department),
    validate: (values) =>
      Object.fromEntries(missingNumbers(values).map((name) => [name, texts.numberMissing])),
  });
  const save = useSave({ form, send: (values) => update.send(toBody(values)), done: update.done });
  const numbers = (names: readonly NumberField[]) => <NumberInputs form={form} names={names} />;
  const { routing } = form.values;
  const shown = shownNumbers(form.values);
  return (
    <PageForm save={save}>
      <SimpleGrid cols={{ base: 1, lg: 2 }}>
        <FormGroup title={groups.about}>
          <TextInput
            label={fields.name.label}
            required
            data-testid="department-name"
            {...form.getInputProps('name')}
          />
          <TextInput
            label={fields.identifier.label}
            description={fields.identifier.help}
            {...form.getInputProps('identifier')}
          />
          <Textarea
            label={fields.description.label}
            autosize
            minRows={2}
            {...form.getInputProps('description')}
          />
          <Switch
            label={fields.active.label}
            description={fields.active.help}
            {...form.getInputProps('active', { type: 'checkbox' })}
          />
        </FormGroup>
        <FormGroup title={groups.queue}>{numbers(shown.queue)}</FormGroup>
        <FormGroup title={groups.routing}>
          <NativeSelect
            label={fields.routing.label}
            description={fields.routing.help}
            data={ROUTINGS.map((value) => ({ value, label: texts.routing[value] }))}
            {...form.getInputProps('routing')}
          />
          {routing === 'automatic' && (
            <NativeSelect
              label={fields.agent_selection.label}
              description={fields.agent_selection.help}
              data={SELECTIONS.map((value) => ({ value, label: texts.selection[value] }))}
              {...form.getInputProps('agent_selection')}
            />
          )}
          {numbers(shown.routing)}
        </FormGroup>
        <FormGroup title={groups.overflow} text={groups.overflowText}>
          <NativeSelect
            label={fields.overflow_department_id.label}
            description={fields.overflow_department_id.help}
            data={[
              { value: '', label: texts.noOverflow },
              ...departments
                .filter(({ id }) => id !== department.id)
                .map(({ id, name }) => ({ value: id, label: name })),
            ]}
            {...form.getInputProps('overflow_department_id')}
          />
          {numbers(shown.overflow)}
        </FormGroup>
        <FormGroup title={groups.callbacks} text={groups.callbacksText}>
          <Switch
            label={fields.callback_enabled.label}
            {...form.getInputProps('callback_enabled', { type: 'checkbox' })}
          />
          {numbers(shown.callbacks)}
        </FormGroup>
      </SimpleGrid>
    </PageForm>
  );
}
