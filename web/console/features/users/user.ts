import type { components } from '../../../shared/api/client';

export type User = components['schemas']['UserDto'];
export type Role = User['role'];

export const USERS_KEY = ['users', 'list'];
export const ROLES: readonly Role[] = ['attendant', 'supervisor', 'manager', 'owner'];
