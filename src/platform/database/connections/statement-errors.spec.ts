import { DatabaseError } from 'pg';
import { isStalePlan } from './statement-errors';

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
