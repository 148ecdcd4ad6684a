import { Button, Group } from '@mantine/core';
import { useState } from 'react';
import { unwrap } from '../../../shared/api/client';
import { useApi } from '../../state/console-context';
import { useCommonTexts } from '../../texts/texts';
import { ConfirmButton } from '../../ui/confirm-button';
import { useAttempt } from '../../ui/use-attempt';
import { appointmentTexts } from './texts/texts';
import type { Appointment } from './use-appointments';

interface StatusActionsProps {
  appointment: Appointment;
  onChanged: () => Promise<unknown>;
  onEdit: () => void;
}

const FINAL_STEPS = [
  { name: 'complete', question: 'completeQuestion', path: '/api/v1/appointments/{id}/complete' },
  { name: 'noShow', question: 'noShowQuestion', path: '/api/v1/appointments/{id}/no-show' },
  { name: 'cancel', question: 'cancelQuestion', path: '/api/v1/appointments/{id}/cancel' },
] as const;

/** What can be done with a live appointment. The steps after the confirmation are final. */
export function StatusActions({ appointment, onChanged, onEdit }: StatusActionsProps) {
  const texts = appointmentTexts.use();
  const common = useCommonTexts();
  const api = useApi();
  const attempt = useAttempt();
  const [isBusy, setBusy] = useState(false);
  const options = { params: { path: { id: appointment.id } } };
  const confirm = async () => {
    setBusy(true);
    try {
      await unwrap(api.POST('/api/v1/appointments/{id}/confirm', options));
      await onChanged();
    } finally {
      setBusy(false);
    }
  };
  return (
    <Group>
      {appointment.status === 'scheduled' && (
        <Button loading={isBusy} onClick={() => attempt(confirm)} data-testid="appointment-confirm">
          {texts.confirm}
        </Button>
      )}
      {FINAL_STEPS.map(({ name, question, path }) => (
        <ConfirmButton
          key={name}
          label={texts[name]}
          question={texts[question]}
          action={() => unwrap(api.POST(path, options)).then(onChanged)}
          data-testid={`appointment-${name}`}
        />
      ))}
      <Button variant="default" onClick={onEdit} data-testid="appointment-edit">
        {common.edit}
      </Button>
    </Group>
  );
}
