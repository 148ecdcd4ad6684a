import { ApiError } from '../../../shared/api/client';
import { asApiError, delayBefore } from '../../../shared/api/retry';
import { readError } from '../../../shared/api/read-error';

/** Small enough to be sent before an access token expires on a slow network. */
const SLICE_BYTES = 4 * 1024 * 1024;
/** Failures in a row, before the upload is given up. Each stored slice starts them again. */
const MAX_FAILURES = 13;
const TEMPORARY_STATUSES = [401, 408, 409, 423, 429];

export interface TusOptions {
  /** Sends a request with the login of the user. */
  send: (request: Request) => Promise<Response>;
  /** Where uploads start, absolute. */
  url: string;
  metadata: Record<string, string>;
  /** Of an upload that an earlier page load began; null for a new one. */
  location?: string | null;
  /** Called when the service has begun an upload, with its address. */
  onLocation?: (location: string) => Promise<void>;
  wait?: (ms: number) => Promise<void>;
}

/**
 * Uploads content by tus 1.0.0, and resumes where the service has it after a failure.
 * @throws ApiError that a repetition does not change, or after nothing was stored in about two minutes of attempts
 */
export async function uploadByTus(content: Blob, options: TusOptions): Promise<void> {
  const { wait = (ms) => new Promise((resolve) => setTimeout(resolve, ms)) } = options;
  const upload = new TusUpload(content, options);
  for (let failures = 0; ;) {
    try {
      if (await upload.next()) return;
      failures = 0;
    } catch (error) {
      if (++failures === MAX_FAILURES || !isTemporary(error)) throw error;
      await wait(delayBefore(asApiError(error), failures));
    }
  }
}

class TusUpload {
  private location: string | null;
  /** Unknown after a failure, and of an upload that was begun earlier. */
  private offset: number | null = null;

  constructor(
    private readonly content: Blob,
    private readonly options: TusOptions,
  ) {
    this.location = options.location ?? null;
  }

  /** Does the next step. @returns whether the upload is complete */
  async next(): Promise<boolean> {
    if (this.location === null) await this.create();
    else if (this.offset === null) await this.askForOffset(this.location);
    else await this.sendSlice(this.location, this.offset);
    return this.offset === this.content.size;
  }

  private async create(): Promise<void> {
    const pairs = Object.entries(this.options.metadata).map(([name, value]) => `${name} ${btoa(value)}`);
    const headers = {
      'Upload-Length': String(this.content.size),
      'Upload-Metadata': pairs.join(','),
    };
    const response = await this.request(this.options.url, 'POST', headers);
    this.location = new URL(response.headers.get('location') ?? '', this.options.url).href;
    this.offset = 0;
    await this.options.onLocation?.(this.location);
  }

  private async askForOffset(location: string): Promise<void> {
    try {
      this.offset = offsetOf(await this.request(location, 'HEAD', {}));
    } catch (error) {
      // It expired: the next step starts another one.
      if ((error as ApiError).status === 404) this.location = null;
      else throw error;
    }
  }

  private async sendSlice(location: string, offset: number): Promise<void> {
    this.offset = null;
    const headers = { 'Upload-Offset': String(offset), 'Content-Type': 'application/offset+octet-stream' };
    const slice = this.content.slice(offset, offset + SLICE_BYTES);
    this.offset = offsetOf(await this.request(location, 'PATCH', headers, slice));
  }

  private async request(
    url: string,
    method: string,
    headers: Record<string, string>,
    body?: Blob,
  ): Promise<Response> {
    const request = new Request(url, { method, headers: { 'Tus-Resumable': '1.0.0', ...headers }, body });
    const response = await this.options.send(request).catch(() => {
      throw new ApiError({ code: 'network', detail: 'The service was not reached.' });
    });
    if (response.ok) return response;
    throw readError(await response.json().catch(() => null), response.status, response.headers);
  }
}

const offsetOf = ({ headers }: Response): number => Number(headers.get('upload-offset'));

function isTemporary(error: unknown): boolean {
  const { status } = error as Partial<ApiError>;
  return !status || status >= 500 || TEMPORARY_STATUSES.includes(status);
}
