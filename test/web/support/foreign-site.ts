import { sharedServers } from './shared-servers';
import { Loopback } from '../../support/service/loopback';

/** A company's own site, on another origin than the service, whose Content Security Policy allows little. */
export class ForeignSite {
  private readonly servers = new Loopback();
  /** For the tenant's `allowed_sites`. */
  origin = '';

  /** Serves a page with the widget of a link for each path `/<token>`. */
  static async start(): Promise<ForeignSite> {
    const site = new ForeignSite();
    const { url } = sharedServers();
    const port = await site.servers.http((request, response) => {
      const token = request.url?.slice(1);
      response.writeHead(200, {
        'content-type': 'text/html; charset=utf-8',
        'content-security-policy': `default-src 'none'; script-src ${url}; frame-src ${url}`,
      });
      response.end(
        `<!doctype html><html lang="en"><title>Shop</title><body><h1>Shop</h1>` +
          `<script src="${url}/widget.js" data-link="${token}" data-language="en" async></script>`,
      );
    });
    site.origin = `http://localhost:${port}`;
    return site;
  }

  pageOf({ token }: { token: string }): string {
    return `${this.origin}/${token}`;
  }

  stop(): Promise<void> {
    return this.servers.stop();
  }
}
