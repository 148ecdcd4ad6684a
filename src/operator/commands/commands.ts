import { DATABASE_COMMANDS } from './database/database-commands';
import { INSTALLATION_COMMANDS } from './installation/installation-commands';
import { GATEWAY_COMMANDS } from './payments/gateway-commands';
import { PRIVACY_COMMANDS } from './privacy/privacy-commands';
import { RECEIPT_COMMANDS } from './receipts/receipt-commands';
import { STORAGE_COMMANDS } from './storage/storage-commands';
import { TENANT_COMMANDS } from './tenants/tenant-commands';
import { USER_COMMANDS } from './users/user-commands';

/** All commands and their groups. */
export const COMMANDS = [
  ...DATABASE_COMMANDS,
  ...INSTALLATION_COMMANDS,
  ...STORAGE_COMMANDS,
  ...TENANT_COMMANDS,
  ...USER_COMMANDS,
  ...GATEWAY_COMMANDS,
  ...PRIVACY_COMMANDS,
  ...RECEIPT_COMMANDS,
];
