import { Badge, Button, Group } from '@mantine/core';
import { useQueryClient } from '@tanstack/react-query';
import { useState } from 'react';
import { useConsole } from '../../../state/console-context';
import { FormGroup } from '../../../ui/form/form-group';
import { notifySuccess } from '../../../ui/form/page-form';
import { accountTexts } from '../texts/texts';
import { EnrolDialog } from './enrol-dialog';
import { RecoveryCodes } from './recovery-codes';
import { SwitchOffDialog } from './switch-off-dialog';

/** The second factor: sets it up, shows the recovery codes once, and switches it off. */
export function TwoStep({ isEnabled }: { isEnabled: boolean }) {
  const texts = accountTexts.use().twoStep;
  const { session, socket } = useConsole();
  const queries = useQueryClient();
  const [dialog, setDialog] = useState<'enrol' | 'off' | null>(null);
  const [codes, setCodes] = useState<readonly string[] | null>(null);
  const close = () => setDialog(null);
  const changed = async () => {
    close();
    const wasRequired = session.mustEnrol.peek();
    session.mustEnrol.value = false;
    if (wasRequired) socket.reconnect();
    await queries.invalidateQueries();
  };
  return (
    <FormGroup title={texts.title} text={texts.text}>
      <Group>
        <Badge variant="light" color={isEnabled ? 'green' : 'gray'} data-testid="mfa-state">
          {isEnabled ? texts.on : texts.off}
        </Badge>
        {isEnabled ? (
          <Button variant="default" size="xs" onClick={() => setDialog('off')} data-testid="mfa-off">
            {texts.switchOff}
          </Button>
        ) : (
          <Button size="xs" onClick={() => setDialog('enrol')} data-testid="mfa-enrol">
            {texts.setUp}
          </Button>
        )}
      </Group>
      {codes && <RecoveryCodes codes={codes} onDone={() => setCodes(null)} />}
      {dialog === 'enrol' && (
        <EnrolDialog
          onClose={close}
          onEnabled={async (recoveryCodes) => {
            setCodes(recoveryCodes);
            await changed();
          }}
        />
      )}
      {dialog === 'off' && (
        <SwitchOffDialog
          onClose={close}
          onDone={async () => {
            setCodes(null);
            await changed();
            notifySuccess(texts.switchedOff);
          }}
        />
      )}
    </FormGroup>
  );
}
