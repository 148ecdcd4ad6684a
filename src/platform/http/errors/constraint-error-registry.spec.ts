import { invalidField } from './api-error';
import { ConstraintErrorRegistry } from './constraint-error-registry';

const taken = () => invalidField('name', 'is already in use');

let registry: ConstraintErrorRegistry;

beforeEach(() => {
  registry = new ConstraintErrorRegistry();
  registry.register({ things_name_key: taken });
});

it('returns the error of a registered constraint', () => {
  expect(registry.errorFor('things_name_key')).toEqual(taken());
  expect(registry.names).toEqual(['things_name_key']);
});

it.each(['things_other_key', 'constructor', ''])('has no error for the constraint %j', (name) => {
  expect(registry.errorFor(name)).toBeUndefined();
});

it('accepts the same error again, but rejects another one for the same constraint', () => {
  registry.register({ things_name_key: taken });
  expect(() => registry.register({ things_name_key: () => taken() })).toThrow('things_name_key');
});
