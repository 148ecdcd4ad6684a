import { Button } from '@mantine/core';
import { notifications } from '@mantine/notifications';
import { useQueryClient } from '@tanstack/react-query';
import { Link } from '@tanstack/react-router';
import { useState } from 'react';
import { unwrap } from '../../../../shared/api/client';
import { useApi, useHasRole, useUser } from '../../../state/console-context';
import { useDepartmentList } from '../../../state/use-departments';
import { useCommonTexts } from '../../../texts/texts';
import { ConfirmButton } from '../../../ui/confirm-button';
import { HandOverDialog } from '../../../ui/hand-over/hand-over-dialog';
import { useTransferNews } from '../../../ui/hand-over/use-transfer-news';
import { callsTexts } from '../texts/texts';
import type { Call } from '../use-call';
import { AgentDialog } from './agent-dialog';
import { DemandsDialog } from './demands-dialog';

/** What the user may do with a call that has not ended: supervisors with any, agents with their own, which they end where it is shown. */
export function CallActions({ call }: { call: Call }) {
  const { actions: texts } = callsTexts.use();
  const { dock } = useCommonTexts();
  const api = useApi();
  const queries = useQueryClient();
  const supervises = useHasRole('supervisor');
  const isOwn = useUser().id === call.user_id;
  const department = useDepartmentList().find(({ id }) => id === call.department_id);
  const [dialog, setDialog] = useState<'offer' | 'assign' | 'hand-over' | 'demands' | null>(null);
  useTransferNews();
  const close = () => setDialog(null);
  const complete = async () => {
    const params = { path: { id: call.id } };
    await unwrap(api.POST('/api/v1/calls/{id}/complete', { params, body: {} }));
    notifications.show({ message: texts.completed });
    await queries.invalidateQueries({ queryKey: ['calls', call.id] });
  };
  const hasAgent = call.status === 'assigned' || call.status === 'active';
  const isAutomatic = department?.routing === 'automatic';
  return (
    <>
      {supervises && call.status === 'queued' && (
        <Button variant="default" data-testid="change-demands" onClick={() => setDialog('demands')}>
          {texts.demands}
        </Button>
      )}
      {supervises && call.status === 'queued' && department && (
        <Button data-testid="give-to-agent" onClick={() => setDialog(isAutomatic ? 'offer' : 'assign')}>
          {isAutomatic ? texts.offer : texts.assign}
        </Button>
      )}
      {supervises && call.status === 'assigned' && (
        <Button onClick={() => setDialog('assign')}>{texts.assign}</Button>
      )}
      {call.status === 'active' && (supervises || isOwn) && (
        <Button data-testid="hand-over" onClick={() => setDialog('hand-over')}>
          {texts.handOver}
        </Button>
      )}
      {hasAgent && isOwn && (
        <Button variant="default" component={Link} to="/" data-testid="own-call">
          {dock.back}
        </Button>
      )}
      {hasAgent && !isOwn && supervises && (
        <ConfirmButton label={texts.complete} question={texts.completeQuestion} action={complete} />
      )}
      {dialog === 'demands' && <DemandsDialog call={call} onClose={close} />}
      {dialog === 'hand-over' && <HandOverDialog call={call} onClose={close} />}
      {(dialog === 'offer' || dialog === 'assign') && (
        <AgentDialog call={call} kind={dialog} onClose={close} />
      )}
    </>
  );
}
