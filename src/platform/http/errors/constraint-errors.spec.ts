import { invalidField } from './api-error';
import { constraintError, registerConstraints, registeredConstraints } from './constraint-errors';
import { translateDatabaseError } from './database-errors';

const taken = () => invalidField('name', 'is already in use');

beforeAll(() => registerConstraints({ things_name_key: taken }));

it('gives the error of a registered constraint', () => {
  expect(constraintError('things_name_key')).toEqual(taken());
  expect(registeredConstraints()).toEqual(['things_name_key']);
});

it.each(['things_other_key', 'constructor', ''])('has no error for the constraint %j', (name) => {
  expect(constraintError(name)).toBeUndefined();
});

it('refuses a second registration of a name', () => {
  expect(() => registerConstraints({ things_name_key: taken })).toThrow(
    'things_name_key is registered twice',
  );
});

it.each([
  ['the driver', { severity: 'ERROR', code: '23505', constraint: 'things_name_key' }],
  ['TypeORM', { driverError: { severity: 'ERROR', code: '23505', constraint: 'things_name_key' } }],
])('translates a violation that %s reports', (_reporter, error) => {
  expect(translateDatabaseError(error)).toEqual(taken());
});
