import type { EntityMetadata } from 'typeorm';
import { EntityStatements } from './entity-statements';

interface Thing {
  id: string;
  name: string | null;
  labels: string[];
}

const column = (propertyName: string, type: string) => ({ propertyName, databaseName: propertyName, type });
const metadata = {
  tableName: 'things',
  columns: [column('id', 'uuid'), column('name', 'text'), column('labels', 'jsonb')],
} as unknown as EntityMetadata;
const things = EntityStatements.of<Thing>(metadata);

it('lists all columns', () => {
  expect(things.columns('t')).toBe('t.id, t.name, t.labels');
});

it('inserts a row without the columns that are undefined', () => {
  expect(things.insert({ id: '1', name: undefined, labels: ['a'] })).toEqual({
    text: 'INSERT INTO things (id, labels) VALUES ($1, $2)',
    values: ['1', '["a"]'],
  });
});

it('updates the rows of a key', () => {
  const { text, values } = things.update({ id: '1' }, { name: null, labels: [] });
  expect(text.replace(/\s+/g, ' ')).toBe('UPDATE things SET name = $2, labels = $3 WHERE id = $1');
  expect(values).toEqual(['1', null, '[]']);
});

it('refuses a field that is no column', () => {
  const row = { id: '1', colour: 'red' } as unknown as Thing;
  expect(() => things.insert(row)).toThrow('things has no column colour');
});
