import { DatabaseError } from 'pg';
import { ConfigError } from '../platform/config/config';
import { DataDirInUseError } from '../platform/database/embedded/data-dir-lock';
import { ApiError, type FieldErrors } from '../platform/http/errors/api-error';
import { isDatabaseUnavailable, translateDatabaseError } from '../platform/http/errors/database-errors';
import { Refusal } from './refusal';

/** What the operator knows a field as, where it is not the option of that name. */
const NAMES: Record<string, string> = { company_name: '--name', admin_password: 'the password' };

/** Errors whose message is written for whoever started the command. */
const FOR_PEOPLE = [ConfigError, DataDirInUseError, Refusal];

/**
 * Why a command failed, in a line.
 * @returns undefined for what no command expects
 */
export function explainError(error: unknown): string | undefined {
  if (FOR_PEOPLE.some((kind) => error instanceof kind)) return (error as Error).message;
  const known = error instanceof ApiError ? error : translateDatabaseError(error);
  if (known) return known.fields ? problemsOf(known.fields) : known.detail;
  if (error instanceof DatabaseError) return `PostgreSQL says: ${error.message}`;
  const isSilent = isDatabaseUnavailable(error) && (error as Error).message !== '';
  return isSilent
    ? `The database does not answer: ${(error as Error).message}. Check DATABASE_URL.`
    : undefined;
}

function problemsOf(fields: FieldErrors): string {
  return Object.entries(fields)
    .flatMap(([field, problems]) => {
      const name = NAMES[field] ?? `--${field.replaceAll('_', '-')}`;
      // Some problems begin with the field's own name.
      return problems.map((problem) => `${name} ${problem.replace(new RegExp(`^${field} `), '')}`);
    })
    .join('; ');
}
