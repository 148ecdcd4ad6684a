import { Command } from 'nest-commander';
import { CommandGroup } from '../command-group';
import { ReceiptKeysCommand } from './receipt-keys.command';
import { ReceiptShowCommand } from './receipt-show.command';
import { ReceiptVerifyCommand } from './receipt-verify.command';

const SUBCOMMANDS = [ReceiptShowCommand, ReceiptVerifyCommand, ReceiptKeysCommand];

@Command({
  name: 'receipt',
  description: 'signed receipts of erasures and exports',
  subCommands: SUBCOMMANDS,
})
class ReceiptGroup extends CommandGroup {}

export const RECEIPT_COMMANDS = [ReceiptGroup, ...SUBCOMMANDS];
