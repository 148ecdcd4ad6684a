import { extname } from 'node:path';
import type { Request, RequestHandler, Response } from 'express';
import type { Asset } from './web-build';
import type { WebBuildCache } from './web-build-cache';

const PATH = /^\/assets\/([\w.-]+)$/;
const A_YEAR_SECONDS = 31_536_000;

/**
 * Express middleware that answers `/assets/…`. Names contain a hash of the content, so answers never change. A missing file
 * is not cached, because it may be one of the next deployment.
 */
export function serveAssets(builds: WebBuildCache): RequestHandler {
  return (request, response, next) => {
    if (!request.path.startsWith('/assets/') || (request.method !== 'GET' && request.method !== 'HEAD')) {
      next();
      return;
    }
    const name = PATH.exec(request.path)?.[1];
    const asset = name === undefined ? undefined : builds.current().assets.get(name);
    if (name === undefined || !asset) {
      response.status(404).set('Cache-Control', 'no-store').type('text').send('There is no such file.\n');
      return;
    }
    response.set({
      'Cache-Control': `public, max-age=${A_YEAR_SECONDS}, immutable`,
      'Cross-Origin-Resource-Policy': 'cross-origin',
    });
    sendAsset(request, response, name, asset);
  };
}

/** Sends the file in the smallest encoding that the client accepts. */
export function sendAsset(request: Request, response: Response, name: string, asset: Asset): void {
  const encoding = (['br', 'gzip'] as const).find((name) => asset[name] && request.acceptsEncodings(name));
  if (encoding) response.set('Content-Encoding', encoding);
  if (asset.br ?? asset.gzip) response.vary('Accept-Encoding');
  const body = encoding && asset[encoding] ? asset[encoding] : asset.plain;
  response.type(extname(name)).set('Content-Length', String(body.length));
  response.end(request.method === 'HEAD' ? undefined : body);
}
