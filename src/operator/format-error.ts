import { DatabaseError } from 'pg';
import { ConfigError } from '../platform/config/config';
import { DataDirInUseError } from '../platform/database/embedded/data-dir-lock';
import { SchemaBehindError } from './migration/schema-state';
import { ApiError, type FieldErrors } from '../platform/http/errors/api-error';
import { isDatabaseUnavailable, translateDatabaseError } from '../platform/http/errors/database-errors';
import { CommandError } from './command-error';

/** Options whose name differs from their field's. */
const OPTION_NAMES: Record<string, string> = { company_name: '--name', admin_password: 'the password' };

/** Errors whose message is written for the operator. */
const READABLE_ERRORS = [ConfigError, DataDirInUseError, SchemaBehindError, CommandError];

/**
 * Formats an error as a line for the operator.
 * @returns undefined for an unexpected error
 */
export function formatError(error: unknown): string | undefined {
  if (READABLE_ERRORS.some((kind) => error instanceof kind)) return (error as Error).message;
  const known = error instanceof ApiError ? error : translateDatabaseError(error);
  if (known) return known.fields ? formatFieldErrors(known.fields) : known.detail;
  if (error instanceof DatabaseError) return `PostgreSQL: ${error.message}`;
  const isUnreachable = isDatabaseUnavailable(error) && (error as Error).message !== '';
  return isUnreachable
    ? `The database does not answer: ${(error as Error).message}. Check DATABASE_URL.`
    : undefined;
}

function formatFieldErrors(fields: FieldErrors): string {
  return Object.entries(fields)
    .flatMap(([field, messages]) => {
      const name = OPTION_NAMES[field] ?? `--${field.replaceAll('_', '-')}`;
      return messages.map((message) => `${name} ${message}`);
    })
    .join('; ');
}
