import { Center, Group, Paper, Stack, Title } from '@mantine/core';
import { useEffect, useState } from 'react';
import { lastLogin } from '../../state/last-login';
import type { StaffSession } from '../../state/staff-session';
import { useCommonTexts } from '../../texts/texts';
import { LatePart } from '../../ui/late/late-part';
import { LanguageSelect } from '../language-select';
import { LoginForm } from './login-form';

const loadForgottenForm = () => import('./forgotten-form');

/** The page of the mailed links leads here when a link is not valid any more. */
const FORGOTTEN_PARAMETER = 'forgotten';

export function LoginPage({ session }: { session: StaffSession }) {
  const texts = useCommonTexts();
  const [isForgotten, setForgotten] = useState(() => {
    lastLogin.readAddress();
    return new URLSearchParams(location.search).has(FORGOTTEN_PARAMETER);
  });
  const toLogin = () => {
    history.replaceState(null, '', location.pathname);
    setForgotten(false);
  };
  useEffect(() => {
    document.title = texts.title;
  }, [texts.title]);
  return (
    <Center component="main" mih="100dvh" p="md">
      <Stack w="min(24rem, 100%)">
        <Group justify="space-between">
          <Title order={1} size="h3">
            {texts.title}
          </Title>
          <LanguageSelect />
        </Group>
        <Paper withBorder p="lg">
          <LatePart load={loadForgottenForm} isNeeded={isForgotten}>
            {(ForgottenForm) => <ForgottenForm session={session} onBack={toLogin} />}
          </LatePart>
          {!isForgotten && <LoginForm session={session} onForgotten={() => setForgotten(true)} />}
        </Paper>
      </Stack>
    </Center>
  );
}
