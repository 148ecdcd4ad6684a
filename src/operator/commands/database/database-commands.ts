import { MigrateCommand } from './migrate.command';

export const DATABASE_COMMANDS = [MigrateCommand];
