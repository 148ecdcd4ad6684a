import type { Answer, Json } from '../http/api';
import type { Member } from '../builders';
import { type Part, upload } from '../http/multipart';
import type { TestApp } from '../test-app';

/** A request that works for whoever may make it. */
export interface Attempt {
  /** What fills the path's parameters, in order. */
  ids?: string[];
  /** What follows the path, as in `?ticket=…`. */
  query?: string;
  body?: Json;
  /** A form with a file, in place of a body. */
  parts?: Part[];
  headers?: Record<string, string>;
  /** Made by somebody who is in the caller's place. */
  as?: Member | undefined;
  /** Sent in place of the caller's own. */
  token?: string;
}

/** @param route as in `GET /api/v1/users/{id}` */
export function send(
  test: TestApp,
  route: string,
  attempt: Attempt,
  actor: Member | undefined,
): Promise<Answer> {
  const [method = '', pattern = ''] = route.split(' ');
  const { ids = [], query = '', body, parts, headers } = attempt;
  const left = [...ids];
  const path = pattern.replace(/\{\w+\}/g, () => left.shift() ?? '') + query;
  const token = attempt.token ?? actor?.token;
  if (parts) return upload(test, path, parts, token ? { token } : {});
  return test.api.send(method, path, { body, ...(headers ? { headers } : {}), ...(token ? { token } : {}) });
}
