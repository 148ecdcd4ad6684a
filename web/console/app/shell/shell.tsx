import { AppShell, Burger, Group, Skeleton, Stack, Text } from '@mantine/core';
import { useDisclosure } from '@mantine/hooks';
import { Outlet, useRouterState } from '@tanstack/react-router';
import { Suspense, useEffect } from 'react';
import { OfferCards } from '../../features/queue/offer-cards';
import { useConsole } from '../../state/console-context';
import { useCommonTexts } from '../../texts/texts';
import { ShortcutList } from '../../ui/shortcuts/shortcut-list';
import { useSignalValue } from '../../ui/use-signal-value';
import { AccountMenu } from './account-menu';
import { CallDock } from './call-dock';
import { Navigation } from './navigation';
import { PresenceMenu } from './presence-menu';
import { UpdateNotice } from './update-notice';

/** What surrounds every page: navigation, presence, the offers and the running call. */
export function Shell() {
  const texts = useCommonTexts();
  const [isOpen, { toggle, close }] = useDisclosure();
  const path = useRouterState({ select: ({ location }) => location.pathname });
  useEffect(close, [path, close]);
  return (
    <AppShell
      header={{ height: 56 }}
      navbar={{ width: 220, breakpoint: 'md', collapsed: { mobile: !isOpen } }}
      padding="md"
      // Its animations do not respect reduced motion, and while they run the page is wider than a narrow window.
      transitionDuration={0}
    >
      <AppShell.Header px="md">
        <Group h="100%" justify="space-between" wrap="nowrap">
          <Group gap="sm" wrap="nowrap">
            <Burger hiddenFrom="md" size="sm" opened={isOpen} onClick={toggle} aria-label={texts.menu} />
            <Text fw={700} visibleFrom="xs">
              {texts.title}
            </Text>
          </Group>
          <Group gap="sm" wrap="nowrap">
            <PresenceMenu />
            <AccountMenu />
          </Group>
        </Group>
      </AppShell.Header>
      <AppShell.Navbar p="xs" aria-label={texts.menu}>
        <Navigation />
      </AppShell.Navbar>
      <ShortcutList />
      <AppShell.Main>
        <Stack>
          <ConnectionNotice />
          <UpdateNotice />
          <OfferCards />
          <CallDock />
          <Suspense fallback={<Skeleton height={240} />}>
            <Outlet />
          </Suspense>
        </Stack>
      </AppShell.Main>
    </AppShell>
  );
}

function ConnectionNotice() {
  const { connection } = useCommonTexts();
  const isConnected = useSignalValue(useConsole().isConnected);
  return (
    <Text role="status" c="red" fw={600} data-testid="connection" hidden={isConnected}>
      {isConnected ? '' : connection.lost}
    </Text>
  );
}
