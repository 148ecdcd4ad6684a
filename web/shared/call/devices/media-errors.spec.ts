import { statusOfError } from './media-errors';

describe('statusOfError', () => {
  it.each([
    ['NotAllowedError', 'denied', 'refused'],
    ['NotAllowedError', null, 'refused'],
    ['NotAllowedError', 'granted', 'refused'],
    ['NotAllowedError', 'prompt', 'prompt'],
    ['SecurityError', 'prompt', 'prompt'],
    ['NotFoundError', 'granted', 'missing'],
    ['OverconstrainedError', 'granted', 'missing'],
    ['NotReadableError', 'granted', 'in_use'],
    ['AbortError', 'granted', 'in_use'],
    ['TypeError', null, 'missing'],
  ] as const)('%s with the permission %p: %s', (name, permission, status) => {
    expect(statusOfError(new DOMException('', name), permission)).toBe(status);
  });
});
