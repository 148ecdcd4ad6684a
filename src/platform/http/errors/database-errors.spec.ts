import { QueryFailedError } from 'typeorm';
import { isDatabaseUnavailable } from './database-errors';

const withCode = (code: string) => Object.assign(new Error('a message'), { code });

it.each([
  ['a server that has become a standby', '25006'],
  ['a full disk', '53100'],
  ['no memory', '53200'],
  ['no connection slots', '53300'],
  ['a file that cannot be written', '58030'],
  ['a server that stops', '57P01'],
  ['a crash', '57P02'],
  ['a server that starts', '57P03'],
  ['a broken connection', '08006'],
  ['a refused connection', 'ECONNREFUSED'],
])('%s is temporary, also as TypeORM wraps it', (_what, code) => {
  expect(isDatabaseUnavailable(withCode(code))).toBe(true);
  expect(isDatabaseUnavailable(new QueryFailedError('SELECT', [], withCode(code)))).toBe(true);
});

it.each([
  ['a violated constraint', '23505'],
  ['a syntax error', '42601'],
  ['an internal error', 'XX000'],
  ['a failed transaction', '25P02'],
])('%s is not', (_what, code) => {
  expect(isDatabaseUnavailable(withCode(code))).toBe(false);
});

it('what is no error is not', () => {
  expect(isDatabaseUnavailable({ code: '53100' })).toBe(false);
});
