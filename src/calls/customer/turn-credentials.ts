import { createHmac, randomBytes } from 'node:crypto';
import { Inject, Injectable } from '@nestjs/common';
import { Clock } from '../../platform/clock/clock';
import { CONFIG, type Config } from '../../platform/config/config';
import type { IceServerDto, TurnCredentialsDto } from './public-call.dto';

/** Hexadecimal digits; enough to distinguish the visitors of one link. */
const HASH_LENGTH = 12;

/**
 * Short-lived TURN credentials for coturn's use-auth-secret (draft-uberti-behave-turn-rest-00): the user name
 * contains the expiry, and the credential is the user name's HMAC under the shared secret.
 */
@Injectable()
export class TurnCredentials {
  constructor(
    private readonly clock: Clock,
    @Inject(CONFIG) private readonly config: Config,
  ) {}

  /**
   * Credentials of one holder. coturn counts its quotas by the part of the user name after the expiry, so repeated
   * requests give no further quota.
   * @param holder the id of a call (for its customer) or of a user, or linkHolder
   */
  credentials(holder: string): TurnCredentialsDto {
    const ttl = this.config.turnTtl;
    const expires = Math.floor(this.clock.in(ttl).getTime() / 1000);
    const username = `${expires}:${holder}`;
    const credential = createHmac('sha1', this.config.turnSecret).update(username).digest('base64');
    return { urls: this.config.turnUrls, username, credential, ttl };
  }

  /**
   * The holder for a visitor of a link, from the client's address: all visitors of a permanent link would otherwise share
   * one quota. The hash is keyed, so that coturn's logs do not reveal the address.
   */
  linkHolder(linkId: string, address: string): string {
    const hash = createHmac('sha256', this.config.turnSecret).update(`${linkId} ${address}`).digest('hex');
    return `${linkId}-${hash.slice(0, HASH_LENGTH)}`;
  }

  /** Credentials of an unknown holder, whom no quota limits. */
  anonymousCredentials(): TurnCredentialsDto {
    return this.credentials(randomBytes(6).toString('hex'));
  }

  /** As `credentials`, in the form of RTCConfiguration.iceServers. */
  iceServers(holder: string): IceServerDto[] {
    const { urls, username, credential } = this.credentials(holder);
    return [{ urls, username, credential }];
  }
}
