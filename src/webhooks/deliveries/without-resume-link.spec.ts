import type { AttemptResult } from './attempt-result';
import { withoutResumeLink } from './without-resume-link';

const TOKEN = 'AZq0M2l9T4-3_xY7Kc1bVQ0aZk8sPpQwErTyUiOpLkJ';
const PAYLOAD = `{"type":"callback.due","data":{"resume_url":"https://calls.example.com/c/V1StGXR8#resume=${TOKEN}"}}`;

const resultWith = (response_body: string | null): AttemptResult => ({
  response_status: 200,
  response_body,
  retry_after: null,
  error: null,
  duration_ms: 5,
});

describe('withoutResumeLink', () => {
  it.each([
    ['a response that repeats the payload', PAYLOAD],
    ['one that was cut off within the token', PAYLOAD.slice(0, PAYLOAD.indexOf(TOKEN) + 42)],
    ['one with the encoded link', encodeURIComponent(PAYLOAD)],
  ])('leaves %s out of the log', (_, body) => {
    expect(withoutResumeLink(resultWith(body), PAYLOAD)).toEqual(
      resultWith('[not kept: it repeats the resume link]'),
    );
  });

  it.each([
    ['without a body', null, PAYLOAD],
    ['that says something else', 'ok', PAYLOAD],
    ['to a payload without a link', '{"type":"call.queued"}', '{"type":"call.queued"}'],
    ['to a payload whose link was blanked', 'null', '{"data":{"resume_url":null}}'],
  ])('keeps a response %s', (_, body, payload) => {
    expect(withoutResumeLink(resultWith(body), payload)).toEqual(resultWith(body));
  });
});
