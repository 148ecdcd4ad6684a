import { DatabaseError } from 'pg';
import { isReusableAfter, isStalePlan } from './statement-errors';

/** As a server reports it whose messages are in Portuguese. */
const errorOf = (code: string, severity: string, routine = 'errstart') =>
  Object.assign(new DatabaseError('uma mensagem', 80, 'error'), { code, severity, routine });

const STALE = errorOf('0A000', 'ERRO', 'RevalidateCachedQuery');

describe('isStalePlan', () => {
  it('does not depend on the language of the server', () => expect(isStalePlan(STALE)).toBe(true));

  it.each([
    ['another error of the code', errorOf('0A000', 'ERRO', 'transformInsertStmt')],
    ['another error of the function', errorOf('57014', 'ERRO', 'RevalidateCachedQuery')],
    ['an error of the client', new Error('cached plan must not change result type')],
    ['no error', undefined],
  ])('is false for %s', (_title, error) => expect(isStalePlan(error)).toBe(false));
});

describe('isReusableAfter', () => {
  it.each(['22012', '22P02', '23505', '25006', '42P01', '55P03', '57014'])(
    'is true after the error %s of a statement',
    (code) => expect(isReusableAfter(errorOf(code, 'ERRO'))).toBe(true),
  );

  it.each([
    ['the shutdown of the server', errorOf('57P01', 'FATAL')],
    ['the idle timeout of a transaction', errorOf('25P03', 'FATAL')],
    ['an internal error', errorOf('XX000', 'PÂNICO')],
    ['a stale plan', STALE],
    ['an error of the client', new Error('Query read timeout')],
  ])('is false after %s', (_title, error) => expect(isReusableAfter(error)).toBe(false));
});
