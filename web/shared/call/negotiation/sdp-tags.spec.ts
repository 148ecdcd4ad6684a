import { isAnswerTo, isCandidateOf, originOf, tagAnswer } from './sdp-tags';

const offer = (connection: string, version: string) =>
  `v=0\r\no=- ${connection} ${version} IN IP4 127.0.0.1\r\ns=-\r\na=ice-ufrag:abcd\r\n`;
const ANSWER = 'v=0\r\no=- 9 2 IN IP4 127.0.0.1\r\ns=-\r\n';

describe('originOf', () => {
  it('reads the connection and the version of a description', () => {
    expect(originOf(offer('4611731400430051336', '2'))).toEqual({
      connection: '4611731400430051336',
      version: '2',
    });
    expect(originOf('v=0\r\no=mozilla...THIS_IS_SDPARTA-99.0 55 0 IN IP4 0.0.0.0\r\n')?.connection).toBe(
      '55',
    );
  });

  it('is null without a description', () => {
    expect(originOf(undefined)).toBeNull();
    expect(originOf('v=0')).toBeNull();
  });
});

describe('isAnswerTo', () => {
  it.each([
    ['the answer to this offer', tagAnswer(ANSWER, offer('1', '2')), true],
    ['the answer to an earlier offer', tagAnswer(ANSWER, offer('1', '1')), false],
    ['the answer to another connection', tagAnswer(ANSWER, offer('2', '2')), false],
    ['the answer of another client, which has no tag', ANSWER, true],
    ['an answer to an offer without an origin', tagAnswer(ANSWER, 'v=0'), true],
  ])('%s: %p', (_, answer, expected) => {
    expect(isAnswerTo(answer, offer('1', '2'))).toBe(expected);
  });
});

describe('isCandidateOf', () => {
  it.each([
    [{ usernameFragment: 'abcd' }, offer('1', '1'), true],
    [{ usernameFragment: 'abc' }, offer('1', '1'), false],
    [{}, offer('1', '1'), true],
    [{ usernameFragment: null }, offer('1', '1'), true],
    [{}, undefined, false],
  ])('%j', (candidate, sdp, expected) => {
    expect(isCandidateOf(candidate, sdp)).toBe(expected);
  });
});
