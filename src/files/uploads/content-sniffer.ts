import { SAMPLE_BYTES } from './content-type';
import { ApiError, invalidField } from '../../platform/http/errors/api-error';

/** What the client says about the file. */
export interface UploadedPart {
  /** The form field in which it is sent. */
  field: string;
  /** Its Content-Type; `text/plain` if the form has none. */
  declared_type: string;
}

/** The rules for uploaded files of one kind. */
export interface UploadRules {
  /** What the objects belong to; part of their keys. */
  kind: string;
  maxBytes: number;
  /** Throws when the file's first bytes are not of an accepted type. */
  accept?: (sample: Buffer, part: UploadedPart) => Promise<void>;
}

/** 413 for a file of more than `maxBytes`. */
export const fileTooLarge = (maxBytes: number) =>
  new ApiError(413, 'payload_too_large', `The file is larger than ${maxBytes / 1024 / 1024} MiB.`);

/** Passes content on only after its first bytes have been checked, and stops it at the size limit. */
export class ContentSniffer {
  /** The first bytes of the file, at most SAMPLE_BYTES. */
  sample = Buffer.alloc(0);
  private size = 0;

  constructor(
    private readonly rules: UploadRules,
    private readonly part: UploadedPart,
  ) {}

  /** @throws 413 for a file that is too large, 422 for an empty one, and the error of `accept` */
  async *sniff(content: AsyncIterable<Buffer>): AsyncGenerator<Buffer> {
    let held: Buffer[] | undefined = [];
    for await (const chunk of content) {
      this.size += chunk.length;
      if (this.size > this.rules.maxBytes) throw fileTooLarge(this.rules.maxBytes);
      if (!held) {
        yield chunk;
        continue;
      }
      held.push(chunk);
      if (this.size < SAMPLE_BYTES) continue;
      yield await this.check(held);
      held = undefined;
    }
    if (held) yield await this.check(held);
  }

  private async check(held: Buffer[]): Promise<Buffer> {
    const start = Buffer.concat(held);
    if (start.length === 0) throw invalidField(this.part.field, 'must not be empty');
    this.sample = start.subarray(0, SAMPLE_BYTES);
    await this.rules.accept?.(this.sample, this.part);
    return start;
  }
}
