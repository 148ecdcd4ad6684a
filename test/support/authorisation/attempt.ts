import type { Answer, Json } from '../http/api';
import type { Member } from '../builders';
import { type Part, upload } from '../http/multipart';
import type { TestApp } from '../test-app';

/** A request that succeeds for every caller with the permission. */
export interface Attempt {
  /** The values of the path parameters, in order. */
  ids?: string[];
  /** The query string, as in `?ticket=…`. */
  query?: string;
  body?: Json;
  /** A form with a file instead of a body. */
  parts?: Part[];
  headers?: Record<string, string>;
  /** A user who sends the request instead of the caller. */
  as?: Member | undefined;
  /** A token that is sent instead of the caller's own. */
  token?: string;
}

/** Sends the request. @param route as in `GET /api/v1/users/{id}` */
export function send(
  test: TestApp,
  route: string,
  attempt: Attempt,
  actor: Member | undefined,
): Promise<Answer> {
  const [method = '', pattern = ''] = route.split(' ');
  const { ids = [], query = '', body, parts, headers } = attempt;
  const remainingIds = [...ids];
  const path = pattern.replace(/\{\w+\}/g, () => remainingIds.shift() ?? '') + query;
  const token = attempt.token ?? actor?.token;
  if (parts)
    return upload(test, path, parts, {
      method: method === 'PUT' ? 'PUT' : 'POST',
      ...(token ? { token } : {}),
    });
  return test.api.send(method, path, { body, ...(headers ? { headers } : {}), ...(token ? { token } : {}) });
}
