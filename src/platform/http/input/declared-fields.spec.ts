import 'reflect-metadata';
import { ArrayMaxSize, IsString, ValidateNested } from 'class-validator';
import { InvalidStructureError, pickDeclaredFields } from './declared-fields';
import { ObjectField, TextField } from './fields';
import { UpdateType } from './update-type';

class Label {
  @TextField()
  text: string;
}

class Link {
  @TextField({ optional: true })
  name?: string | null;

  @ObjectField(() => Label, { optional: true })
  @ValidateNested()
  label?: Label | null;
}

class Batch {
  @ObjectField(() => Link, { list: true })
  @ArrayMaxSize(3)
  @ValidateNested({ each: true })
  links: Link[];
}

class NamedBatch extends Batch {
  @IsString()
  name: string;
}

const problemsOf = (input: object, type: new () => object): unknown => {
  try {
    pickDeclaredFields(input, type);
  } catch (error) {
    return error instanceof InvalidStructureError ? error.fields : error;
  }
  return undefined;
};

describe('pickDeclaredFields', () => {
  it('drops fields that the class does not declare', () => {
    const input = JSON.parse('{"name": "x", "role": "owner", "__proto__": {"label": {}}, "constructor": 1}');
    expect(pickDeclaredFields(input, Link)).toEqual({ name: 'x' });
  });

  it('drops them from nested objects and from the items of arrays', () => {
    const input = {
      links: [{ name: 'x', extra: 1, label: { text: 'y', extra: 2 } }, { label: null, links: [] }, null],
      extra: [3],
    };
    const picked = { links: [{ name: 'x', label: { text: 'y' } }, { label: null }, null] };
    expect(pickDeclaredFields(input, Batch)).toEqual(picked);
    expect(input.links[0]).toHaveProperty('extra');
  });

  it('keeps the fields of a parent class and of an update', () => {
    const input = { links: [{ name: 'x', extra: 1 }], name: 'y', extra: 2 };
    expect(pickDeclaredFields(input, NamedBatch)).toEqual({ links: [{ name: 'x' }], name: 'y' });
    expect(pickDeclaredFields(input, UpdateType(Batch))).toEqual({ links: [{ name: 'x' }] });
  });

  it('keeps the values of other fields as they are', () => {
    for (const name of [undefined, 7, ['x'], { deep: { er: 1 } }])
      expect(pickDeclaredFields({ name }, Link)).toEqual({ name });
  });

  it.each([
    [{ links: [[]] }, Batch, ['links.0']],
    [{ links: [{}, [{ name: 'x' }], 7] }, Batch, ['links.1', 'links.2']],
    [{ links: [{ label: [] }, { label: 'x' }] }, Batch, ['links.0.label', 'links.1.label']],
    [{ label: [{ text: 'x' }] }, Link, ['label']],
  ])('rejects other values for a nested object: %j', (input, type, fields) => {
    expect(problemsOf(input, type)).toEqual(
      Object.fromEntries(fields.map((field) => [field, ['must be an object']])),
    );
  });

  it('rejects an array with more objects than the field declares', () => {
    expect(problemsOf({ links: [{}, {}, {}] }, Batch)).toBeUndefined();
    expect(problemsOf({ links: [{}, {}, {}, []] }, Batch)).toEqual({
      links: ['must contain at most 3 items'],
    });
  });

  it.each([7, 'x', true])('leaves %j for an array to the validators', (links) => {
    expect(pickDeclaredFields({ links }, Batch)).toEqual({ links });
  });
});
