import { Tenancy1780000000001 } from './0001-tenancy';
import { Identity1780000000002 } from './0002-identity';
import { Departments1780000000003 } from './0003-departments';
import { Calls1780000000004 } from './0004-calls';

/** All migrations, oldest first. The number at the end of a class name is its place in the order. */
export const MIGRATIONS = [
  Tenancy1780000000001,
  Identity1780000000002,
  Departments1780000000003,
  Calls1780000000004,
];
