import type { Answer } from '../http/api';

/** Every failure has one shape; `fields` only says what is wrong with which value. */
export function expectFailure(
  answer: Answer,
  status: number,
  expected: { code?: string; field?: string } = {},
): void {
  const { code, field } = expected;
  const { errors } = answer.body ?? {};
  expect({ status: answer.status, errors }).toEqual({
    status,
    errors: {
      detail: expect.stringMatching(/\S/),
      code: code ?? expect.stringMatching(/^[a-z_]+$/),
      ...(errors?.fields ? { fields: expect.any(Object) } : {}),
    },
  });
  expect(Object.keys(answer.body)).toEqual(['errors']);
  if (field) expect(errors.fields?.[field]).toEqual(expect.arrayContaining([expect.any(String)]));
}
