import type { RequestHandler } from 'express';

const LINK_PATH = /^\/(?:c|call)\//i;

/**
 * Express middleware: the token of a link whose escapes cannot be decoded, because a messenger cut or changed the link, is taken
 * literally. Express would answer 400 with JSON before any route; so the customer reads a page that the link is not valid.
 */
export const escapeMalformedLinks: RequestHandler = (request, _response, next) => {
  const { path, url } = request;
  if (LINK_PATH.test(path) && !isDecodable(path))
    request.url = path.replaceAll('%', '%25') + url.slice(path.length);
  next();
};

function isDecodable(path: string): boolean {
  try {
    decodeURIComponent(path);
    return true;
  } catch {
    return false;
  }
}
