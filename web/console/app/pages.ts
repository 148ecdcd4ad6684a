import type { ComponentType } from 'react';
import type { Role } from '../state/token-store';

export interface PageDefinition {
  /** `nav-<id>` is the test id of its link. */
  id: string;
  path: string;
  /** Users of this role and of higher ones see it. */
  role: Role;
  /** Where its link stands; none for pages that others lead to. */
  section: 'work' | 'supervise' | 'manage' | 'company' | null;
  load: () => Promise<{ default: ComponentType }>;
}

/** All pages. Each is loaded when it is first opened. */
export const PAGES = [
  {
    id: 'queue',
    path: '/',
    role: 'attendant',
    section: 'work',
    load: () => import('./workplace-page'),
  },
  {
    id: 'calls',
    path: '/calls',
    role: 'attendant',
    section: 'work',
    load: () => import('../features/calls/calls-page'),
  },
  {
    id: 'call',
    path: '/calls/$id',
    role: 'attendant',
    section: null,
    load: () => import('../features/calls/call-page'),
  },
  {
    id: 'wall',
    path: '/wall',
    role: 'supervisor',
    section: 'supervise',
    load: () => import('../features/wall/wall-page'),
  },
  {
    id: 'tags',
    path: '/tags',
    role: 'supervisor',
    section: 'manage',
    load: () => import('../features/tags/tags-page'),
  },
] as const satisfies readonly PageDefinition[];
