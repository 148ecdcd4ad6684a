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
    id: 'appointments',
    path: '/appointments',
    role: 'attendant',
    section: 'work',
    load: () => import('../features/appointments/appointments-page'),
  },
  {
    id: 'customers',
    path: '/customers',
    role: 'attendant',
    section: 'work',
    load: () => import('../features/customers/customers-page'),
  },
  {
    id: 'customer',
    path: '/customers/$id',
    role: 'attendant',
    section: null,
    load: () => import('../features/customers/customer-page'),
  },
  {
    id: 'links',
    path: '/links',
    role: 'attendant',
    section: 'work',
    load: () => import('../features/links/links-page'),
  },
  {
    id: 'canned-replies',
    path: '/canned-replies',
    role: 'attendant',
    section: 'work',
    load: () => import('../features/canned-replies/canned-replies-page'),
  },
  {
    id: 'wall',
    path: '/wall',
    role: 'supervisor',
    section: 'supervise',
    load: () => import('../features/wall/wall-page'),
  },
  {
    id: 'reports',
    path: '/reports',
    role: 'supervisor',
    section: 'supervise',
    load: () => import('../features/reports/reports-page'),
  },
  {
    id: 'exports',
    path: '/exports',
    role: 'supervisor',
    section: 'supervise',
    load: () => import('../features/exports/exports-page'),
  },
  {
    id: 'departments',
    path: '/departments',
    role: 'supervisor',
    section: 'manage',
    load: () => import('../features/departments/departments-page'),
  },
  {
    id: 'department',
    path: '/departments/$id',
    role: 'supervisor',
    section: null,
    load: () => import('../features/departments/department-page'),
  },
  {
    id: 'users',
    path: '/users',
    role: 'supervisor',
    section: 'manage',
    load: () => import('../features/users/users-page'),
  },
  {
    id: 'skills',
    path: '/skills',
    role: 'supervisor',
    section: 'manage',
    load: () => import('../features/skills/skills-page'),
  },
  {
    id: 'tags',
    path: '/tags',
    role: 'supervisor',
    section: 'manage',
    load: () => import('../features/tags/tags-page'),
  },
  {
    id: 'webhooks',
    path: '/webhooks',
    role: 'manager',
    section: 'company',
    load: () => import('../features/webhooks/webhooks-page'),
  },
  {
    id: 'webhook',
    path: '/webhooks/$id',
    role: 'manager',
    section: null,
    load: () => import('../features/webhooks/webhook-page'),
  },
  {
    id: 'audit',
    path: '/audit',
    role: 'manager',
    section: 'company',
    load: () => import('../features/audit/audit-page'),
  },
  {
    id: 'settings',
    path: '/settings',
    role: 'manager',
    section: 'company',
    load: () => import('../features/settings/settings-page'),
  },
  {
    id: 'plan',
    path: '/plan',
    role: 'manager',
    section: 'company',
    load: () => import('../features/plan/plan-page'),
  },
  {
    id: 'account',
    path: '/account',
    role: 'attendant',
    section: null,
    load: () => import('../features/account/account-page'),
  },
] as const satisfies readonly PageDefinition[];
