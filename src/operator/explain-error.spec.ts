import { DatabaseError } from 'pg';
import { ConfigError } from '../platform/config/config';
import { DataDirInUseError } from '../platform/database/embedded/data-dir-lock';
import { forbidden, invalidField, notFound, unprocessable } from '../platform/http/errors/api-error';
import { CONSTRAINT_ERRORS } from '../platform/http/errors/constraint-errors';
import { TENANT_CONSTRAINTS } from '../tenancy/tenant.constraints';
import { explainError } from './explain-error';
import { Refusal } from './refusal';

function postgres(message: string, details: { code: string; constraint?: string }): DatabaseError {
  return Object.assign(new DatabaseError(message, message.length, 'error'), {
    severity: 'ERROR',
    ...details,
  });
}

CONSTRAINT_ERRORS.register(TENANT_CONSTRAINTS);

const taken = { code: '23505', constraint: 'tenants_document_key' };

describe('explainError', () => {
  it.each<[string, unknown, string | undefined]>([
    ['a refusal', new Refusal('There is no tenant x.'), 'There is no tenant x.'],
    ['a failure of the API', notFound('Tenant'), 'Tenant not found.'],
    ['another', forbidden('The plan is too small.'), 'The plan is too small.'],
    ['a field', invalidField('document', 'is not a valid CPF'), '--document is not a valid CPF'],
    [
      'fields, one of which a problem repeats',
      unprocessable('validation_failed', 'Some fields are not valid.', {
        admin_email: ['admin_email must be an email', 'admin_email is too long'],
        company_name: ['company_name is too short'],
        admin_password: ['is one of the commonest passwords'],
      }),
      '--admin-email must be an email; --admin-email is too long; --name is too short; ' +
        'the password is one of the commonest passwords',
    ],
    ['a broken constraint', postgres('duplicate key', taken), '--document is already in use'],
    ['a refused login', postgres('no such role', { code: '28000' }), 'PostgreSQL says: no such role'],
    [
      'a bad setting',
      new ConfigError({ PORT: 'is no port' }),
      'The configuration is invalid:\n  PORT: is no port\nSee docs/configuration.md.',
    ],
    ['a folder in use', new DataDirInUseError('In use.'), 'In use.'],
    [
      'a database out of reach',
      Object.assign(new Error('getaddrinfo ENOTFOUND db'), { code: 'ENOTFOUND' }),
      'The database does not answer: getaddrinfo ENOTFOUND db. Check DATABASE_URL.',
    ],
    ['anything else', new TypeError('x is not a function'), undefined],
    ['what is no error', 'oops', undefined],
  ])('of %s is a line', (_what, error, line) => {
    expect(explainError(error)).toBe(line);
  });
});
