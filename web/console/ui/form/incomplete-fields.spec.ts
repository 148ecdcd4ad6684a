import { incompleteFields } from './incomplete-fields';

const input = (badInput: boolean, path?: string) => ({ validity: { badInput }, dataset: { path } });

describe('incompleteFields', () => {
  it.each([
    ['none', [input(false, 'label'), input(false, 'expires_at')], []],
    ['one that is no date', [{ ...input(false, 'to'), dataset: { path: 'to', incomplete: 'true' } }], ['to']],
    ['one that is half typed', [input(false, 'label'), input(true, 'expires_at')], ['expires_at']],
    ['none that is not of the form', [input(true)], []],
  ])('names %s', (_, inputs, fields) => {
    expect(incompleteFields(inputs)).toEqual(fields);
  });
});
