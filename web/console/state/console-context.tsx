import { createContext, useContext } from 'react';
import type { Api } from '../../shared/api/client';
import { useSignalValue } from '../ui/use-signal-value';
import type { ConsoleState } from './console-state';
import { hasRole } from './roles';
import type { Role, StaffUser } from './token-store';

export const ConsoleContext = createContext<ConsoleState | null>(null);

/** The socket, the queues and the call of the user. */
export function useConsole(): ConsoleState {
  const state = useContext(ConsoleContext);
  if (!state) throw new Error('There is no user here');
  return state;
}

export const useApi = (): Api => useConsole().session.api;

export function useUser(): StaffUser {
  const user = useSignalValue(useConsole().session.user);
  if (!user) throw new Error('There is no user here');
  return user;
}

/** Whether the user has this role or a higher one. What they may not see is not shown; the service refuses it, too. */
export const useHasRole = (role: Role): boolean => hasRole(useUser().role, role);
