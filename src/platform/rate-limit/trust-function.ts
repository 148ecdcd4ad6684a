import type { Application } from 'express';

/** Whether the proxy at `address` is trusted. Hop 0 is the connecting peer. */
export type TrustFunction = (address: string, hop: number) => boolean;

/** The function that Express has compiled from TRUST_PROXY. */
export function trustFunction(app: Pick<Application, 'get'>): TrustFunction {
  return app.get('trust proxy fn') as TrustFunction;
}
