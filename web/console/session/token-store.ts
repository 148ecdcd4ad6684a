import type { components } from '../../shared/api/client';

export type StaffUser = components['schemas']['LoginUserDto'];

export interface StaffTokens {
  access_token: string;
  refresh_token: string;
  user: StaffUser;
}

const STORAGE_KEY = 'vcq-staff';

/** Shared by the tabs of the browser, because a refresh token can be used only once. */
export const tokenStore = {
  read(): StaffTokens | null {
    try {
      return JSON.parse(localStorage.getItem(STORAGE_KEY) ?? 'null') as StaffTokens | null;
    } catch {
      return null;
    }
  },
  write(tokens: StaffTokens): void {
    localStorage.setItem(STORAGE_KEY, JSON.stringify(tokens));
  },
  clear(): void {
    localStorage.removeItem(STORAGE_KEY);
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
