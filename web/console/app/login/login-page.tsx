import { Center, Group, Paper, Stack, Title } from '@mantine/core';
import { useEffect } from 'react';
import type { StaffSession } from '../../state/staff-session';
import { useCommonTexts } from '../../texts/texts';
import { LanguageSelect } from '../language-select';
import { LoginForm } from './login-form';

export function LoginPage({ session }: { session: StaffSession }) {
  const texts = useCommonTexts();
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
          <LoginForm session={session} />
        </Paper>
      </Stack>
    </Center>
  );
}
