import type { Config } from '../../platform/config/config';
import { OutboundClient } from '../outbound/outbound-client';

const TIMEOUT_MS = 15_000;

/** Bytes of a response that are kept in the attempt log. */
const MAX_BODY_BYTES = 1024;

/** The client for URLs that tenants have chosen. */
export const webhookClient = ({ webhookAllowedPrivateHosts }: Config): OutboundClient =>
  new OutboundClient({
    allowedPrivateHosts: webhookAllowedPrivateHosts,
    timeoutMs: TIMEOUT_MS,
    maxBodyBytes: MAX_BODY_BYTES,
  });
