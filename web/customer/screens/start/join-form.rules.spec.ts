import { problemsOf } from './join-form.rules';

const FORM = { name: 'Maria', email: null, phone: null, reason: null };

describe('problemsOf', () => {
  it.each([
    [{}, []],
    [{ name: '' }, ['name']],
    [{ email: 'maria@example.com' }, []],
    [{ email: 'maria@example' }, ['email']],
    [{ name: '', email: 'maria', phone: '1'.repeat(41) }, ['name', 'email', 'phone']],
    [{ reason: 'x'.repeat(2001) }, ['reason']],
  ])('%j', (changes, expected) => {
    expect(problemsOf({ ...FORM, ...changes })).toEqual(expected);
  });

  it('includes a missing e-mail address where a message goes to it', () => {
    expect(problemsOf(FORM, { isEmailRequired: true })).toEqual(['email']);
  });

  it('has nothing to say of a name that the service knows', () => {
    expect(problemsOf({ ...FORM, name: '' }, { isNameKnown: true })).toEqual([]);
  });
});
