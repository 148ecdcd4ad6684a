import { createHmac, randomBytes } from 'node:crypto';
import { Inject, Injectable } from '@nestjs/common';
import { Clock } from '../../platform/clock/clock';
import { CONFIG, type Config } from '../../platform/config/config';
import type { IceServerDto, TurnCredentialsDto } from './public-call.dto';

/**
 * Short-lived TURN credentials as coturn's use-auth-secret checks them (draft-uberti-behave-turn-rest-00):
 * the user name tells when they expire, the credential is its HMAC under the shared secret.
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
    // A name of its own for everybody: coturn counts quotas by user.
    const username = `${expires}:${randomBytes(6).toString('hex')}`;
    const credential = createHmac('sha1', this.config.turnSecret).update(username).digest('base64');
    return { urls: this.config.turnUrls, username, credential, ttl };
  }

  /** As RTCPeerConnection's configuration takes them. */
  iceServers(): IceServerDto[] {
    const { urls, username, credential } = this.credentials();
    return [{ urls, username, credential }];
  }
}
