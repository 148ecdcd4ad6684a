import { readError } from './read-error';

describe('readError', () => {
  it('reads code, detail, fields and the id of the request', () => {
    const body = {
      errors: { code: 'validation_failed', detail: 'Wrong.', fields: { name: ['is empty'] } },
      request_id: 'r1',
    };
    expect(readError(body, 400, new Headers())).toMatchObject({
      code: 'validation_failed',
      detail: 'Wrong.',
      fields: { name: ['is empty'] },
      request_id: 'r1',
      status: 400,
    });
  });

  it('takes the id of the request from the header, and the seconds to wait', () => {
    const headers = new Headers({ 'x-request-id': 'r2', 'retry-after': '7' });
    const error = readError({ errors: { code: 'rate_limited', detail: '' } }, 429, headers);
    expect(error).toMatchObject({ request_id: 'r2', retry_after: 7 });
  });

  it('reads when a closed department opens', () => {
    const body = { errors: { code: 'department_closed', detail: '', opens_at: '2026-01-31T12:00:00Z' } };
    expect(readError(body, 422, new Headers()).opens_at).toBe('2026-01-31T12:00:00Z');
  });

  it.each([undefined, null, '<html>', 5, {}, { errors: 'x' }, { errors: { code: 5 } }])(
    'names the status if the body is %p, as a proxy sends it',
    (body) => {
      const error = readError(body, 502, new Headers({ 'retry-after': 'Wed, 21 Oct 2026 07:28:00 GMT' }));
      expect(error).toMatchObject({ code: 'http_502', fields: {}, request_id: null, retry_after: null });
    },
  );
});
