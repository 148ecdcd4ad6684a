import { DatabaseError } from 'pg';
import { ConfigError } from '../platform/config/config';
import { DataDirInUseError } from '../platform/database/embedded/data-dir-lock';
import { forbidden, invalidField, notFound, unprocessable } from '../platform/http/errors/api-error';
import { formatError } from './format-error';
import { CommandError } from './command-error';
import { CONSTRAINT_ERRORS } from '../platform/http/errors/constraint-error-registry';
import { TENANT_CONSTRAINTS } from '../tenancy/tenant.constraints';

function postgres(message: string, details: { code: string; constraint?: string }): DatabaseError {
  return Object.assign(new DatabaseError(message, message.length, 'error'), {
    severity: 'ERROR',
    ...details,
  });
}

CONSTRAINT_ERRORS.register(TENANT_CONSTRAINTS);

const taken = { code: '23505', constraint: 'tenants_document_key' };

describe('formatError', () => {
  it.each<[string, unknown, string | undefined]>([
    ['a command error', new CommandError('There is no tenant x.'), 'There is no tenant x.'],
    ['an API error', notFound('Tenant'), 'Tenant not found.'],
    ['another API error', forbidden('The plan is too small.'), 'The plan is too small.'],
    ['an invalid field', invalidField('document', 'is not a valid CPF'), '--document is not a valid CPF'],
    [
      'several invalid fields',
      unprocessable('validation_failed', 'Some fields are not valid.', {
        admin_email: ['must be an e-mail address', 'must have at most 254 characters'],
        company_name: ['must not be empty'],
        admin_password: ['is one of the commonest passwords'],
      }),
      '--admin-email must be an e-mail address; --admin-email must have at most 254 characters; --name must not be empty; ' +
        'the password is one of the commonest passwords',
    ],
    ['a broken constraint', postgres('duplicate key', taken), '--document is already in use'],
    ['a refused login', postgres('no such role', { code: '28000' }), 'PostgreSQL: no such role'],
    [
      'an invalid setting',
      new ConfigError({ PORT: 'is no port' }),
      'The configuration is invalid:\n  PORT: is no port\nSee docs/configuration.md.',
    ],
    ['a folder in use', new DataDirInUseError('In use.'), 'In use.'],
    [
      'an unreachable database',
      Object.assign(new Error('getaddrinfo ENOTFOUND db'), { code: 'ENOTFOUND' }),
      'The database does not answer: getaddrinfo ENOTFOUND db. Check DATABASE_URL.',
    ],
    ['an unexpected error', new TypeError('x is not a function'), undefined],
    ['a value that is not an error', 'oops', undefined],
  ])('formats %s', (_what, error, line) => {
    expect(formatError(error)).toBe(line);
  });
});
