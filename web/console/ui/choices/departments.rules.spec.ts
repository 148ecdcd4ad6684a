import { namesOfDepartments } from './departments.rules';

describe('namesOfDepartments', () => {
  it.each([
    ['no queue', [], [{ department_id: 'a', department_name: 'Sales' }], []],
    [
      'the newest name',
      ['a'],
      [
        { department_id: 'a', department_name: 'Sales' },
        { department_id: 'a', department_name: 'Old name' },
      ],
      [{ value: 'a', label: 'Sales' }],
    ],
    ['an unknown name', ['0000-123456'], [], [{ value: '0000-123456', label: '…123456' }]],
    [
      'in the order of the names',
      ['a', 'b'],
      [
        { department_id: 'a', department_name: 'Support' },
        { department_id: 'b', department_name: 'Claims' },
        { department_id: null, department_name: 'Gone' },
      ],
      [
        { value: 'b', label: 'Claims' },
        { value: 'a', label: 'Support' },
      ],
    ],
  ])('%s', (_, ids, named, choices) => {
    expect(namesOfDepartments(ids, named)).toEqual(choices);
  });
});
