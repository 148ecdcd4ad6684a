import { Grid, NativeSelect, Switch, Textarea } from '@mantine/core';
import { useForm } from '@mantine/form';
import { FormGroup } from '../../../ui/form/form-group';
import { PageForm } from '../../../ui/form/page-form';
import { useSave } from '../../../ui/form/use-save';
import { ZoneSelect } from '../../../ui/form/zone-select';
import type { Department } from '../../../state/use-departments';
import { departmentTexts } from '../texts/texts';
import { useUpdateDepartment } from '../use-department';
import { ExceptionFields } from './exception-fields';
import { HoursPreview } from './hours-preview';
import { toHours, toValues, type HoursForm } from './hours-values';
import { WeekFields } from './week-fields';

/** When customers can join, what happens at closing, and a preview of what was saved. */
export function HoursTab({ department }: { department: Department }) {
  const texts = departmentTexts.use().hours;
  const update = useUpdateDepartment(department.id);
  const form = useForm<HoursForm>({
    initialValues: {
      ...toValues(department.opening_hours),
      on_close: department.on_close,
      closed_message: department.closed_message ?? '',
    },
  });
  const save = useSave({
    form,
    send: (values) =>
      update.send({
        opening_hours: toHours(values),
        on_close: values.on_close,
        closed_message: values.closed_message || null,
      }),
    done: update.done,
  });
  const { isAlwaysOpen } = form.values;
  return (
    <Grid>
      <Grid.Col span={{ base: 12, lg: 8 }}>
        <PageForm save={save}>
          <FormGroup title={texts.title}>
            <Switch
              label={texts.always}
              description={texts.alwaysText}
              data-testid="always-open"
              {...form.getInputProps('isAlwaysOpen', { type: 'checkbox' })}
            />
            {!isAlwaysOpen && (
              <ZoneSelect
                label={texts.timezone}
                placeholder={texts.companyZone}
                clearable
                clearButtonProps={{ 'aria-label': texts.companyZone }}
                maw="24rem"
                {...form.getInputProps('timezone')}
                value={form.values.timezone || null}
                onChange={(zone) => form.setFieldValue('timezone', zone ?? '')}
              />
            )}
          </FormGroup>
          {!isAlwaysOpen && (
            <>
              <FormGroup title={texts.week} text={texts.weekText}>
                <WeekFields form={form} />
              </FormGroup>
              <FormGroup title={texts.exceptions} text={texts.exceptionsText}>
                <ExceptionFields form={form} />
              </FormGroup>
              <FormGroup title={texts.closing}>
                <Textarea
                  label={texts.closedMessage}
                  description={texts.closedMessageText}
                  maxLength={500}
                  autosize
                  minRows={2}
                  data-testid="closed-message"
                  {...form.getInputProps('closed_message')}
                />
                <NativeSelect
                  label={texts.onClose}
                  description={texts.onCloseText}
                  data={(['keep', 'end'] as const).map((value) => ({
                    value,
                    label: texts.onCloseOptions[value],
                  }))}
                  {...form.getInputProps('on_close')}
                />
              </FormGroup>
            </>
          )}
        </PageForm>
      </Grid.Col>
      <Grid.Col span={{ base: 12, lg: 4 }}>
        <HoursPreview department={department} />
      </Grid.Col>
    </Grid>
  );
}
