import { Alert, AppShell, Burger, Group, Skeleton, Stack, Text } from '@mantine/core';
import { useDisclosure } from '@mantine/hooks';
import { Outlet, useNavigate, useRouterState } from '@tanstack/react-router';
import { Suspense, useEffect } from 'react';
import { OfferCards } from '../../features/queue/offer-cards';
import { useConsole } from '../../state/console-context';
import { useOwnTenant } from '../../state/use-me';
import { useZone } from '../../state/use-zone';
import { useCommonTexts } from '../../texts/texts';
import { ShortcutList } from '../../ui/shortcuts/shortcut-list';
import { LeaveGuard } from '../../ui/unsaved/leave-guard';
import { useSignalValue } from '../../ui/use-signal-value';
import { AccountMenu } from './account-menu';
import { CallDock } from './call-dock';
import { Navigation } from './navigation';
import { PresenceMenu } from './presence-menu';
import { TakesCallsQuestion } from './takes-calls-question';
import { UpdateNotice } from './update-notice';

const ENROLMENT_PATH = '/account';

/** What surrounds every page: navigation, presence, the offers and the running call. */
export function Shell() {
  const texts = useCommonTexts();
  const [isOpen, { toggle, close }] = useDisclosure();
  const path = useRouterState({ select: ({ location }) => location.pathname });
  useEffect(close, [path, close]);
  useEnrolmentFirst(path);
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
      <AppShell.Navbar p="xs" className="menu" data-open={isOpen} aria-label={texts.menu}>
        <Navigation />
      </AppShell.Navbar>
      <AppShell.Main>
        <Stack>
          <ConnectionNotice />
          <UpdateNotice />
          <ZoneNotice />
          <TakesCallsQuestion />
          <ShortcutList />
          <LeaveGuard />
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

/** Leads to the only page that the service answers until the required second factor is set up. */
function useEnrolmentFirst(path: string): void {
  const mustEnrol = useSignalValue(useConsole().session.mustEnrol);
  const navigate = useNavigate();
  useEffect(() => {
    if (mustEnrol && path !== ENROLMENT_PATH) void navigate({ to: ENROLMENT_PATH, replace: true });
  }, [mustEnrol, path, navigate]);
}

function ConnectionNotice() {
  const { connection } = useCommonTexts();
  const { isConnected: connected, session } = useConsole();
  // Without a second factor that the company requires, the service refuses the connection on purpose.
  const mustEnrol = useSignalValue(session.mustEnrol);
  const isConnected = useSignalValue(connected) || mustEnrol;
  return (
    <Text role="status" c="red" fw={600} data-testid="connection" hidden={isConnected}>
      {isConnected ? '' : connection.lost}
    </Text>
  );
}

/** Of a browser that is too old for the company's zone: all pages show the times in its own. */
function ZoneNotice() {
  const { unknownZone } = useCommonTexts();
  const companys = useOwnTenant()?.timezone;
  const zone = useZone();
  if (!companys || !zone || zone.isCompanys) return null;
  return (
    <Alert role="status" data-testid="unknown-zone">
      {unknownZone(companys, zone.name)}
    </Alert>
  );
}
