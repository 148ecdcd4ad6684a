import { createHmac, timingSafeEqual } from 'node:crypto';
import { Inject, Injectable } from '@nestjs/common';
import { CONFIG, type Config } from '../../platform/config/config';
import { TokenKeys } from '../../platform/tokens/token-keys';
import { linkUrl } from '../../access-links/link-url';

const ID_BYTES = 16;
const MAC_BYTES = 16;
/** Base64url of the call's id and its code, behind a letter if it would begin with - or _. It never ends with them. */
const TOKEN = /^[a-z]?([\w-]{43})$/;

const codeOf = (id: Buffer, key: Parameters<typeof createHmac>[1]): Buffer =>
  createHmac('sha256', key)
    .update(`resume link of ${id.toString('hex')}`)
    .digest()
    .subarray(0, MAC_BYTES);

/**
 * The links by which customers return to their calls. The token is short enough for a text message: the call's id and a
 * keyed code of it, 128 bits. It is the same for all invitations of a call, and useless when the call has ended.
 */
@Injectable()
export class ResumeLinks {
  constructor(
    private readonly keys: TokenKeys,
    @Inject(CONFIG) private readonly config: Config,
  ) {}

  /** The token is in the fragment, which browsers do not send, so that no log of a server has it. */
  urlOf(callId: string, linkToken: string): string {
    return `${linkUrl(this.config.publicUrl, linkToken)}#resume=${this.tokenOf(callId)}`;
  }

  /** @returns the call's id; undefined for a text that is no token of a resume link */
  callOf(token: string): string | undefined {
    const [, encoded] = TOKEN.exec(token) ?? [];
    if (encoded === undefined) return undefined;
    const bytes = Buffer.from(encoded, 'base64url');
    const [id, code] = [bytes.subarray(0, ID_BYTES), bytes.subarray(ID_BYTES)];
    const isGenuine = this.keys.all.some((key) => timingSafeEqual(code, codeOf(id, key)));
    return isGenuine ? id.toString('hex').replace(/^(.{8})(.{4})(.{4})(.{4})/, '$1-$2-$3-$4-') : undefined;
  }

  private tokenOf(callId: string): string {
    const id = Buffer.from(callId.replaceAll('-', ''), 'hex');
    const encoded = Buffer.concat([id, codeOf(id, this.keys.signing)]).toString('base64url');
    return encoded.replace(/^(?=[-_])/, 'r');
  }
}
