import { createHmac, randomBytes } from 'node:crypto';
import { Inject, Injectable } from '@nestjs/common';
import { Clock } from '../../platform/clock/clock';
import { CONFIG, type Config } from '../../platform/config/config';
import type { IceServerDto, TurnCredentialsDto } from './public-call.dto';

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

  credentials(): TurnCredentialsDto {
    const ttl = this.config.turnTtl;
    const expires = Math.floor(this.clock.in(ttl).getTime() / 1000);
    // The name is unique for each request because coturn counts quotas by user.
    const username = `${expires}:${randomBytes(6).toString('hex')}`;
    const credential = createHmac('sha1', this.config.turnSecret).update(username).digest('base64');
    return { urls: this.config.turnUrls, username, credential, ttl };
  }

  /** In the form of RTCConfiguration.iceServers. */
  iceServers(): IceServerDto[] {
    const { urls, username, credential } = this.credentials();
    return [{ urls, username, credential }];
  }
}
