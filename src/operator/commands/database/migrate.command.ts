import { Command, Option } from 'nest-commander';
import { loadDatabaseConfig } from '../../../platform/config/config';
import { prepareDatabase } from '../../migration/prepare-database';
import { checkSchema } from '../../migration/schema-state';
import { formatMissing, type SchemaState } from '../../migration/schema-state';
import { openDatabase } from '../../operator-database';
import { OutputCommand, type OutputOptions } from '../output-command';

const UP_TO_DATE = 'The database is up to date.\n';

/**
 * Migrates the database or compares it with this version. Unlike the other commands it needs only the variables of the
 * database, so that it can have another login than the service and no other secret.
 */
@Command({
  name: 'migrate',
  description: 'bring the database to this version: tables, role, grants and the job queue',
})
export class MigrateCommand extends OutputCommand {
  async run(_: string[], options: OutputOptions & { check?: boolean }): Promise<void> {
    const config = loadDatabaseConfig(process.env);
    const database = await openDatabase(config);
    const role = config.requestedRole;
    try {
      if (!options.check) {
        // With --json standard output has only the result.
        const output = options.json ? process.stderr : process.stdout;
        const progress = { log: (line: string) => void output.write(`${line}\n`) };
        await prepareDatabase(database.url, { role, progress });
      }
      const state = await checkSchema(database.url, { role });
      const isBehind = formatMissing(state).length > 0;
      this.print({ up_to_date: !isBehind, ...state }, options, formatState);
      if (isBehind) process.exitCode = 1;
    } finally {
      await database.close();
    }
  }

  @Option({
    flags: '--check',
    description: 'change nothing; print what is missing and exit with 1, or with 0 if nothing is',
  })
  parseCheck(): boolean {
    return true;
  }
}

function formatState(state: SchemaState): string {
  const missing = formatMissing(state);
  if (missing.length === 0) return UP_TO_DATE;
  const lines = missing.map((phrase) => `- ${phrase}\n`);
  return `The database is behind this version:\n${lines.join('')}`;
}
