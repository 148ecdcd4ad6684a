import { errorForLog } from './error-for-log';

describe('errorForLog', () => {
  it.each([
    ['550 <ana.souza+x@example.com.br> unknown', '550 <[address]> unknown'],
    ['invalid input syntax for type uuid: "Ana Souza"', 'invalid input syntax for type uuid: [value]'],
    ['invalid input value for enum kind: "a"b"', 'invalid input value for enum kind: [value]'],
    ['connect ECONNREFUSED 127.0.0.1:5432', 'connect ECONNREFUSED 127.0.0.1:5432'],
  ])('logs the message %j as %j', (message, logged) => {
    const stack = `Error: ${message}\n    at node_modules/@nestjs/core/router.js:1`;
    expect(errorForLog({ type: 'Error', message, stack })).toEqual({
      type: 'Error',
      message: logged,
      stack: `Error: ${logged}\n    at node_modules/@nestjs/core/router.js:1`,
    });
  });

  it('leaves out the values and the row of a failed query', () => {
    const error = {
      type: 'DatabaseError',
      message: 'duplicate key',
      detail: 'Key (email)=(ana)',
      parameters: ['ana'],
    };
    expect(JSON.stringify(errorForLog({ ...error, code: '23505' }))).not.toContain('ana');
  });
});
