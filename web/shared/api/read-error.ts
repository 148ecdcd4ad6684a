import { ApiError } from './api-error';

interface ErrorBody {
  errors?: { code?: unknown; detail?: unknown; fields?: unknown; opens_at?: unknown };
  request_id?: unknown;
}

/** @param body parsed JSON, or what a proxy in between answered */
export function readError(body: unknown, status: number, headers: Headers): ApiError {
  const { errors, request_id } = (isObject(body) ? body : {}) as ErrorBody;
  return new ApiError({
    code: text(errors?.code) ?? `http_${status}`,
    detail: text(errors?.detail) ?? '',
    fields: isObject(errors?.fields) ? (errors.fields as Record<string, string[]>) : {},
    request_id: text(request_id) ?? headers.get('x-request-id'),
    status,
    retry_after: secondsOf(headers.get('retry-after')),
    opens_at: text(errors?.opens_at),
  });
}

function isObject(value: unknown): value is object {
  return typeof value === 'object' && value !== null;
}

function text(value: unknown): string | null {
  return typeof value === 'string' ? value : null;
}

function secondsOf(header: string | null): number | null {
  return header !== null && /^\d+$/.test(header) ? Number(header) : null;
}
