import { MantineProvider } from '@mantine/core';
import { QueryClientProvider } from '@tanstack/react-query';
import { RouterProvider } from '@tanstack/react-router';
import { Suspense, useEffect, useMemo, useState } from 'react';
import { ConsoleContext } from '../state/console-context';
import { ConsoleState } from '../state/console-state';
import type { StaffSession } from '../state/staff-session';
import type { StaffUser } from '../state/token-store';
import { useLanguage } from '../texts/language';
import { Notices } from '../ui/notices/notices';
import { LatePart } from '../ui/late/late-part';
import { useSignalValue } from '../ui/use-signal-value';
import { LoginPage } from './login/login-page';
import { createQueryClient } from './query-client';
import { createConsoleRouter } from './router';
import { READABLE_COLORS, themeIn } from './theme';

/** Of the page, for the styles that the components make. */
const nonce = document.querySelector<HTMLElement>('style[nonce]')?.nonce ?? '';

/** Where the library that keeps the page from scrolling below a dialog looks for it. */
Object.assign(globalThis, { __webpack_nonce__: nonce });

const loadRelogin = () => import('./login/relogin');

/** The login, or the console of the user. */
export function App({ session }: { session: StaffSession }) {
  const user = useSignalValue(session.user);
  const language = useLanguage();
  const theme = useMemo(() => themeIn(language), [language]);
  useEffect(() => {
    document.documentElement.lang = language;
  }, [language]);
  return (
    <MantineProvider
      theme={theme}
      defaultColorScheme="auto"
      cssVariablesResolver={READABLE_COLORS}
      getStyleNonce={() => nonce}
    >
      <Notices />
      <Suspense>
        {user ? (
          <UserConsole key={`${user.id} ${user.role}`} session={session} user={user} />
        ) : (
          <LoginPage session={session} />
        )}
      </Suspense>
    </MantineProvider>
  );
}

/** Nothing of one user is left for the next one. */
function UserConsole({ session, user }: { session: StaffSession; user: StaffUser }) {
  const [state, setState] = useState<ConsoleState | null>(null);
  const hasExpired = useSignalValue(session.hasExpired);
  const queries = useMemo(createQueryClient, []);
  const router = useMemo(() => createConsoleRouter(user.role), [user.role]);
  useEffect(() => {
    const current = new ConsoleState(session, user.id);
    setState(current);
    return () => current.close();
  }, [session, user.id]);
  // What was refused in between is asked for again.
  useEffect(() => {
    if (!hasExpired) void queries.invalidateQueries();
  }, [hasExpired, queries]);
  if (!state) return null;
  return (
    <ConsoleContext value={state}>
      <QueryClientProvider client={queries}>
        <RouterProvider router={router} />
        <LatePart load={loadRelogin} isNeeded={hasExpired}>
          {(Relogin) => <Relogin session={session} />}
        </LatePart>
      </QueryClientProvider>
    </ConsoleContext>
  );
}
