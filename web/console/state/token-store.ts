import type { components } from '../../shared/api/client';

export type StaffUser = components['schemas']['LoginUserDto'];
export type Role = StaffUser['role'];

export interface StaffTokens {
  access_token: string;
  refresh_token: string;
  user: StaffUser;
}

const STORAGE_KEY = 'vcq-staff';
const LOGGED_OUT = '"logged_out"';

/** Shared by the tabs of the browser: a refresh token that another tab has used works only for 30 s more. */
export const tokenStore = {
  read(): StaffTokens | null {
    return parse(localStorage.getItem(STORAGE_KEY));
  },
  write(tokens: StaffTokens): void {
    localStorage.setItem(STORAGE_KEY, JSON.stringify(tokens));
  },
  /** The service has ended the login. */
  clear(): void {
    localStorage.removeItem(STORAGE_KEY);
  },
  /** The person has ended the login, in all tabs. */
  logOut(): void {
    localStorage.setItem(STORAGE_KEY, LOGGED_OUT);
  },
  /** Calls the listener after another tab has written the tokens or removed them. */
  onChange(listener: (change: StaffTokens | 'expired' | 'logged_out') => void): void {
    addEventListener('storage', ({ key, newValue }) => {
      if (key !== STORAGE_KEY && key !== null) return;
      listener(newValue === LOGGED_OUT ? 'logged_out' : (parse(newValue) ?? 'expired'));
    });
  },
};

/** @param token a JWT. @returns milliseconds since 1970, 0 if it cannot be read */
export function expiryOf(token: string): number {
  return (claimsOf(token).exp ?? 0) * 1000;
}

/** @param token a JWT. @returns the milliseconds between its issue and its end, 0 if they cannot be read */
export function lifetimeOf(token: string): number {
  const { iat = 0, exp = 0 } = claimsOf(token);
  return iat > 0 ? (exp - iat) * 1000 : 0;
}

function claimsOf(token: string): { iat?: number; exp?: number } {
  try {
    const payload = token.split('.')[1]?.replaceAll('-', '+').replaceAll('_', '/') ?? '';
    return JSON.parse(atob(payload)) as { iat?: number; exp?: number };
  } catch {
    return {};
  }
}

function parse(text: string | null): StaffTokens | null {
  try {
    const stored = JSON.parse(text ?? 'null') as StaffTokens | string | null;
    return typeof stored === 'string' ? null : stored;
  } catch {
    return null;
  }
}
