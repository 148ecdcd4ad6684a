import { Button, Group } from '@mantine/core';
import { useState } from 'react';
import { unwrap } from '../../../shared/api/client';
import { useApi } from '../../state/console-context';
import { ConfirmButton } from '../../ui/confirm-button';
import { useAttempt } from '../../ui/use-attempt';
import { appointmentTexts } from './texts/texts';
import type { Appointment } from './use-appointments';

interface StatusActionsProps {
  appointment: Appointment;
  onChanged: () => Promise<unknown>;
}

/** The statuses that follow one in which the appointment is live. All but the confirmation are final. */
export function StatusActions({ appointment, onChanged }: StatusActionsProps) {
  const texts = appointmentTexts.use();
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
  const complete = () => unwrap(api.POST('/api/v1/appointments/{id}/complete', options)).then(onChanged);
  const noShow = () => unwrap(api.POST('/api/v1/appointments/{id}/no-show', options)).then(onChanged);
  const cancel = () => unwrap(api.POST('/api/v1/appointments/{id}/cancel', options)).then(onChanged);
  return (
    <Group>
      {appointment.status === 'scheduled' && (
        <Button loading={isBusy} onClick={() => attempt(confirm)} data-testid="appointment-confirm">
          {texts.confirm}
        </Button>
      )}
      <ConfirmButton label={texts.complete} question={texts.completeQuestion} action={complete} />
      <ConfirmButton label={texts.noShow} question={texts.noShowQuestion} action={noShow} />
      <ConfirmButton label={texts.cancel} question={texts.cancelQuestion} action={cancel} />
    </Group>
  );
}
