export interface ApiErrorFields {
  code: string;
  /** A sentence for people, in English. */
  detail: string;
  /** Messages by the name of the field, for a form. */
  fields?: Record<string, string[]>;
  request_id?: string | null;
  /** HTTP status, 0 without an answer. */
  status?: number;
  /** Seconds to wait before the next attempt, if the service said so. */
  retry_after?: number | null;
  /** Of `department_closed`: when the department opens; null if it never does. */
  opens_at?: string | null;
}

/** A refused request, in the one shape of all errors of the service; the code is `network` when it was not reached. */
export class ApiError extends Error {
  readonly code: string;
  readonly detail: string;
  readonly fields: Record<string, string[]>;
  readonly request_id: string | null;
  readonly status: number;
  readonly retry_after: number | null;
  readonly opens_at: string | null;

  constructor(of: ApiErrorFields) {
    super(of.detail);
    this.name = 'ApiError';
    this.code = of.code;
    this.detail = of.detail;
    this.fields = of.fields ?? {};
    this.request_id = of.request_id ?? null;
    this.status = of.status ?? 0;
    this.retry_after = of.retry_after ?? null;
    this.opens_at = of.opens_at ?? null;
  }
}
