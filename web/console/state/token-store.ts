import type { components } from '../../shared/api/client';

export type StaffUser = components['schemas']['LoginUserDto'];
export type Role = StaffUser['role'];

export interface StaffTokens {
  access_token: string;
  refresh_token: string;
  user: StaffUser;
}

const STORAGE_KEY = 'vcq-staff';

/** Shared by the tabs of the browser, because a refresh token can be used only once. */
export const tokenStore = {
  read(): StaffTokens | null {
    return parse(localStorage.getItem(STORAGE_KEY));
  },
  write(tokens: StaffTokens): void {
    localStorage.setItem(STORAGE_KEY, JSON.stringify(tokens));
  },
  clear(): void {
    localStorage.removeItem(STORAGE_KEY);
  },
  /** Calls the listener after another tab has written the tokens, with null after it has removed them. */
  onChange(listener: (tokens: StaffTokens | null) => void): void {
    addEventListener('storage', ({ key, newValue }) => {
      if (key === STORAGE_KEY || key === null) listener(parse(newValue));
    });
  },
};

/** @param token a JWT. @returns milliseconds since 1970, 0 if it cannot be read */
export function expiryOf(token: string): number {
  try {
    const payload = token.split('.')[1]?.replaceAll('-', '+').replaceAll('_', '/') ?? '';
    const { exp } = JSON.parse(atob(payload)) as { exp?: number };
    return (exp ?? 0) * 1000;
  } catch {
    return 0;
  }
}

function parse(text: string | null): StaffTokens | null {
  try {
    return JSON.parse(text ?? 'null') as StaffTokens | null;
  } catch {
    return null;
  }
}
