import type { AttemptResult } from './attempt-result';

/** The token of a resume link (ResumeLinks) in a payload. It begins with the call's id, followed by the secret code. */
const RESUME_TOKEN = /#resume=([\w-]{43,44})"/;

/** So much of the token repeats its first part, the id, and nothing of the code. */
const ID_LENGTH = 20;

const NOT_KEPT = '[not kept: it repeats the resume link]';

/**
 * The result without a response that repeats the resume link of the payload, as echoing endpoints do: the link is a
 * credential, which the log of deliveries does not keep. The body is cut off after its first KiB, so it may have the beginning
 * of the link alone.
 * @param payload the text that was sent
 */
export function withoutResumeLink(result: AttemptResult, payload: string): AttemptResult {
  const token = RESUME_TOKEN.exec(payload)?.[1];
  if (!token || !result.response_body?.includes(token.slice(0, ID_LENGTH))) return result;
  return { ...result, response_body: NOT_KEPT };
}
