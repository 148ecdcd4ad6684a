import { Inject, Injectable } from '@nestjs/common';
import { AccessLinkResolver } from '../../access-links/access-link-resolver';
import { SessionStateCache } from '../../identity/sessions/session-state-cache';
import { CONFIG, type Config } from '../../platform/config/config';
import { Database } from '../../platform/database/database';
import { ApiError, unauthenticated } from '../../platform/http/errors/api-error';
import { setConnectionKind } from '../../platform/logging/request-context';
import { audienceOf, CustomerTokens } from './customer-tokens';
import type { TurnCredentialsDto } from './public-call.dto';
import { TurnCredentials } from './turn-credentials';

/** Decides who gets TURN credentials, since a relay costs bandwidth. */
@Injectable()
export class TurnAccess {
  constructor(
    private readonly database: Database,
    private readonly customers: CustomerTokens,
    private readonly sessions: SessionStateCache,
    private readonly links: AccessLinkResolver,
    private readonly turn: TurnCredentials,
    @Inject(CONFIG) private readonly config: Config,
  ) {}

  /**
   * @param token a websocket_token or an access token
   * @param linkToken the token of an access link
   * @param address the client's, see clientAddress
   * @returns credentials of the token's call or user, or of the link and address; with TURN_OPEN also without a valid token
   * @throws 401
   */
  async credentials(
    token: string | undefined,
    linkToken: string | undefined,
    address: string,
  ): Promise<TurnCredentialsDto> {
    const holder = await this.findHolder(token, linkToken, address).catch((error: unknown) => {
      if (this.config.turnOpen && error instanceof ApiError) return undefined;
      throw error;
    });
    if (holder !== undefined) return this.turn.credentials(holder);
    if (this.config.turnOpen) return this.turn.anonymousCredentials();
    throw unauthenticated(
      'Send a websocket_token or an access token as Bearer token, or ?token= of a valid link.',
    );
  }

  /** The holder of TurnCredentials; undefined without a token and for a link that is not valid. */
  private async findHolder(
    token: string | undefined,
    linkToken: string | undefined,
    address: string,
  ): Promise<string | undefined> {
    if (token !== undefined) {
      const isCustomer = audienceOf(token) === 'customer';
      const claims = isCustomer ? undefined : this.sessions.verifyAccessToken(token);
      if (isCustomer) this.customers.verifySignature(token);
      // The token is genuine, so a call in progress may need the credentials to restart ICE.
      setConnectionKind(isCustomer ? 'public_reserved' : 'reserved');
      if (!claims) return (await this.customers.verify(token)).call_id;
      const { user_id, must_enrol } = await this.sessions.getState(claims);
      return must_enrol ? undefined : user_id;
    }
    const linkId = linkToken === undefined ? undefined : await this.findLink(linkToken);
    return linkId && this.turn.linkHolder(linkId, address);
  }

  private async findLink(token: string): Promise<string | undefined> {
    try {
      return (await this.database.system((tx) => this.links.resolve(tx, token))).link_id;
    } catch (error) {
      if (error instanceof ApiError && error.getStatus() === 404) return undefined;
      throw error;
    }
  }
}
