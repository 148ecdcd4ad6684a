import type { Role } from './token-store';

const RANKS: Record<Role, number> = { attendant: 0, supervisor: 1, manager: 2, owner: 3 };

/** Whether a role includes another one. */
export const hasRole = (role: Role, needed: Role): boolean => RANKS[role] >= RANKS[needed];
