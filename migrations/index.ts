import { Tenancy1780000000001 } from './0001-tenancy';
import { Identity1780000000002 } from './0002-identity';
import { Departments1780000000003 } from './0003-departments';
import { Calls1780000000004 } from './0004-calls';
import { IdentityCompleted1780000000005 } from './0005-identity-completed';
import { AuditLog1780000000006 } from './0006-audit-log';
import { TenantLogos1780000000007 } from './0007-tenant-logos';
import { Billing1780000000008 } from './0008-billing';
import { IdempotencyIndex1780000000009 } from './0009-idempotency-index';

/** All migrations, oldest first. The number at the end of a class name is its place in the order. */
export const MIGRATIONS = [
  Tenancy1780000000001,
  Identity1780000000002,
  Departments1780000000003,
  Calls1780000000004,
  IdentityCompleted1780000000005,
  AuditLog1780000000006,
  TenantLogos1780000000007,
  Billing1780000000008,
  IdempotencyIndex1780000000009,
];
