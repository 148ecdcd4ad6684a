import type { Answer } from '../http/api';

/** Checks the status and the documented shape of an error response, and its code and invalid field if given. */
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
  if (status === 401)
    expect(answer.headers.get('www-authenticate')).toMatch(/^Bearer( error="invalid_token")?$/);
  if (field) expect(errors.fields?.[field]).toEqual(expect.arrayContaining([expect.any(String)]));
}
