import { createHash } from 'node:crypto';
import { extname } from 'node:path';
import type { NextFunction, Request, RequestHandler, Response } from 'express';
import type { Asset } from './web-build';
import type { WebBuildCache } from './web-build-cache';

const PATH = /^\/assets\/([\w.-]+)$/;
const A_YEAR_SECONDS = 31_536_000;

/** The script is part of pages that do not change with a deployment, so its address stays. */
const WIDGET = '/widget.js';
const WIDGET_SECONDS = 600;

/** Express middleware that answers `/assets/…` and `/widget.js`, and passes on everything else. */
export function serveAssets(builds: WebBuildCache): RequestHandler {
  return (request, response, next) => {
    const isRead = request.method === 'GET' || request.method === 'HEAD';
    if (isRead && request.path.startsWith('/assets/')) serveAsset(request, response, builds, next);
    else if (isRead && request.path === WIDGET) serveWidget(request, response, builds);
    else next();
  };
}

/**
 * Names contain a hash of the content, so answers never change. The answer about a missing file is not stored, as those of the
 * API are not: it may be one of the next deployment.
 */
function serveAsset(request: Request, response: Response, builds: WebBuildCache, next: NextFunction): void {
  const name = PATH.exec(request.path)?.[1];
  const asset = name === undefined ? undefined : builds.current().assets.get(name);
  // No route has this address either, so the error is that of the API.
  if (name === undefined || !asset) return next();
  response.set('Cache-Control', `public, max-age=${A_YEAR_SECONDS}, immutable`);
  sendAsset(request, response, name, asset);
}

function serveWidget(request: Request, response: Response, builds: WebBuildCache): void {
  const { widget } = builds.current();
  const hash = createHash('sha256').update(widget.plain).digest('base64url');
  response.set({ 'Cache-Control': `public, max-age=${WIDGET_SECONDS}`, ETag: `W/"${hash}"` });
  if (request.fresh) response.status(304).end();
  else sendAsset(request, response, WIDGET, widget);
}

/** Sends the file in the smallest encoding that the client accepts. */
function sendAsset(request: Request, response: Response, name: string, asset: Asset): void {
  const encoding = (['br', 'gzip'] as const).find((name) => asset[name] && request.acceptsEncodings(name));
  // Pages of companies load the widget, and documents in frames load assets.
  response.set('Cross-Origin-Resource-Policy', 'cross-origin');
  if (encoding) response.set('Content-Encoding', encoding);
  if (asset.br ?? asset.gzip) response.vary('Accept-Encoding');
  const body = encoding && asset[encoding] ? asset[encoding] : asset.plain;
  response.type(extname(name)).set('Content-Length', String(body.length));
  response.end(request.method === 'HEAD' ? undefined : body);
}
