import type { Answer } from './api';
import { ensureDocumented } from './contract';
import type { TestedService } from '../tested-service';

interface Upload {
  method?: 'POST' | 'PUT';
  token?: string;
  /** Sent as Idempotency-Key. */
  key?: string;
  /** Sends this as the body instead of a form, with this Content-Type. */
  raw?: { type: string; body: string | Uint8Array<ArrayBuffer> };
}

/** A part of a form: a text, or a file with its name and type. */
export type Part = [field: string, content: string | Buffer, name?: string, type?: string];

/** Sends a multipart form as a browser does. */
export async function upload(
  { url }: Pick<TestedService, 'url'>,
  path: string,
  parts: Part[],
  { method = 'POST', token, key, raw }: Upload = {},
): Promise<Answer> {
  const response = await fetch(url + path, {
    method,
    headers: {
      ...(token ? { authorization: `Bearer ${token}` } : {}),
      ...(key === undefined ? {} : { 'idempotency-key': key }),
      ...(raw ? { 'content-type': raw.type } : {}),
    },
    body: raw ? raw.body : form(parts),
  });
  const text = await response.text();
  const body = text === '' ? '' : JSON.parse(text);
  const answer = { status: response.status, body, headers: response.headers };
  ensureDocumented(method, path, answer);
  return answer;
}

function form(parts: Part[]): FormData {
  const data = new FormData();
  for (const [field, content, name = 'picture', type = 'application/octet-stream'] of parts) {
    if (typeof content === 'string') data.append(field, content);
    else data.append(field, new Blob([new Uint8Array(content)], { type }), name);
  }
  return data;
}
