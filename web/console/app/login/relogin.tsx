import { Button, Stack, Text } from '@mantine/core';
import type { StaffSession } from '../../state/staff-session';
import { useCommonTexts } from '../../texts/texts';
import { Dialog } from '../../ui/dialog/dialog';
import { useSignalValue } from '../../ui/use-signal-value';
import { LoginForm } from './login-form';

const ABOVE_DIALOGS = 1000;

/** Asks for the login again when it has expired. The page below keeps what was typed. */
export default function Relogin({ session }: { session: StaffSession }) {
  const { login } = useCommonTexts();
  const user = useSignalValue(session.user);
  return (
    <Dialog
      opened
      onClose={() => undefined}
      title={login.expired}
      withCloseButton={false}
      closeOnEscape={false}
      closeOnClickOutside={false}
      zIndex={ABOVE_DIALOGS}
    >
      <Stack>
        <Text>{login.expiredText}</Text>
        <LoginForm session={session} email={user?.email} />
        <Button variant="subtle" onClick={() => session.forget()}>
          {login.leave}
        </Button>
      </Stack>
    </Dialog>
  );
}
