import { ApiError } from '../../shared/api/api-error';
import { SocketError } from '../../shared/socket-error';
import en from '../texts/errors-en';
import { explain } from './explain';

const refusal = (code: string) => new ApiError({ code, detail: 'In English.', request_id: 'r-1' });

describe('explain', () => {
  it('has a sentence for the codes of the service', () => {
    expect(explain(refusal('last_owner'), en)).toBe(en.last_owner);
    expect(explain(new SocketError('chat_full', 'In English.'), en)).toBe(en.chat_full);
  });

  it.each(['something_new', 'internal_error', 'request'])(
    'has a general one with the number of the request for %s',
    (code) => {
      expect(explain(refusal(code), en)).toBe(`${en.other} ${en.request('r-1')}`);
    },
  );

  it('has the general one alone for what is no answer of the service', () => {
    expect(explain(new Error('a fault'), en)).toBe(en.other);
    expect(explain(undefined, en)).toBe(en.other);
  });
});
