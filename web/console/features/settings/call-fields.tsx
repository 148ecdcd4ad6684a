import { NumberInput, Switch, TagsInput } from '@mantine/core';
import type { UseFormReturnType } from '@mantine/form';
import { DurationInput } from '../../ui/form/duration-input';
import { FormGroup } from '../../ui/form/form-group';
import type { SettingsValues } from './form-values';
import { settingsTexts } from './texts/texts';

const NUMBERS = { allowDecimal: false, allowNegative: false, clampBehavior: 'none', maw: '28rem' } as const;

/** Recording, service level, pauses and alerts. */
export function CallFields({ form }: { form: UseFormReturnType<SettingsValues> }) {
  const texts = settingsTexts.use();
  return (
    <>
      <FormGroup title={texts.calls}>
        <NumberInput
          label={texts.retention}
          description={texts.retentionText}
          suffix={texts.days}
          placeholder={texts.forever}
          {...NUMBERS}
          {...form.getInputProps('recording_retention_days')}
        />
        <DurationInput
          name="service-level"
          label={texts.serviceLevel}
          description={texts.serviceLevelText}
          {...form.getInputProps('service_level_seconds')}
        />
      </FormGroup>
      <FormGroup title={texts.pauses}>
        <TagsInput
          label={texts.pauseReasons}
          description={texts.pauseReasonsText}
          placeholder={texts.addByEnter}
          {...form.getInputProps('pause_reasons')}
        />
        <Switch
          label={texts.pauseMissed}
          description={texts.pauseMissedText}
          {...form.getInputProps('pause_after_missed_offer', { type: 'checkbox' })}
        />
      </FormGroup>
      <FormGroup title={texts.alerts} text={texts.alertsText}>
        <DurationInput
          name="alert-wait"
          label={texts.alertWait}
          description={texts.alertWaitText}
          placeholder={texts.noAlert}
          {...form.getInputProps('alert_longest_wait')}
        />
        <Switch
          label={texts.alertNobody}
          {...form.getInputProps('alert_nobody_available', { type: 'checkbox' })}
        />
      </FormGroup>
    </>
  );
}
