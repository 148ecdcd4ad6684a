import { randomBytes } from 'node:crypto';
import { join } from 'node:path';
import { freePort } from '../../support/free-port';
import { AiPeer, completion, json } from '../../support/peers/ai-peer';
import { cloneDatabase } from '../../support/database/database';
import { ensureBuilt } from '../../support/service/built-service';
import { DataDir } from '../../support/service/data-dir';
import { ServiceProcess, stopServices } from '../../support/service/service-process';
import { Coturn } from '../../support/peers/coturn';
import { addHostAddress, removeHostAddress } from './network/host-address';

/** What all specs of a run share. */
export interface SharedServers {
  /** The address of this machine; browsers in network namespaces reach it, too, unless `refusal` says why not. */
  address: string;
  refusal: string | null;
  /** For browsers. */
  url: string;
  /** For the specs themselves, which do not know PAGE_HOST. */
  api_url: string;
  databaseUrl: string;
  logFile: string;
  turn: { port: number; pid: number; urls: string };
}

/** Seconds that a participant may be disconnected. Short, because specs wait for the end of a call. */
export const GRACE_SECONDS = 10;

/**
 * The name of this machine for browsers: they allow cameras without TLS on names that end with localhost (Secure Contexts,
 * 3.1), and find the machine's address by `--host-resolver-rules`.
 */
export const PAGE_HOST = 'service.localhost';

const VARIABLE = 'WEB_TEST_SERVERS';
const GENEROUS_LIMITS = {
  AUTH_RATE_LIMIT: '100000',
  AUTH_ADDRESS_RATE_LIMIT: '100000',
  PUBLIC_RATE_LIMIT: '100000',
  PAGE_RATE_LIMIT: '100000',
  API_RATE_LIMIT: '100000',
};

/** What the AI provider answers for each recording. */
const CONVERSATION = {
  text: 'Good morning. How can I help? My invoice is wrong.',
  segments: [
    { speaker: 'A', text: ' Good morning.' },
    { speaker: 'A', text: ' How can I help?' },
    { speaker: 'B', text: ' My invoice is wrong.' },
  ],
};

const releases: (() => unknown)[] = [];

/** The servers that the process of the run started. */
export function sharedServers(): SharedServers {
  return JSON.parse(process.env[VARIABLE] ?? '');
}

/** The variables of a service for browsers. A spec that restarts its service starts one of its own with them. */
export function serviceVariables(
  servers: Pick<SharedServers, 'databaseUrl'>,
  { port, dataDir }: { port: number; dataDir: string },
): Record<string, string> {
  return {
    ...GENEROUS_LIMITS,
    HOST: '0.0.0.0',
    PORT: String(port),
    PUBLIC_URL: `http://${PAGE_HOST}:${port}`,
    DATABASE_URL: servers.databaseUrl,
    DATA_DIR: dataDir,
    // Receivers of webhooks that specs start.
    WEBHOOK_ALLOWED_PRIVATE_HOSTS: '127.0.0.1',
    RECONNECT_GRACE_SECONDS: String(GRACE_SECONDS),
    // Some specs check the page of an assigned call, which takes longer than the default on a busy machine.
    RING_TIMEOUT_SECONDS: '600',
    // Several specs use the service at once, and of the default the public requests get two.
    DATABASE_POOL_SIZE: '20',
  };
}

/** Starts coturn and the service, whose addresses the workers get in a variable. */
export async function startSharedServers(): Promise<void> {
  await ensureBuilt();
  try {
    await start();
  } catch (error) {
    await stopSharedServers();
    throw error;
  }
}

/** Stops what was started, in reverse order. */
export async function stopSharedServers(): Promise<void> {
  for (const release of releases.splice(0).toReversed()) await release();
}

async function start(): Promise<void> {
  const host = await addHostAddress();
  const address = 'address' in host ? host.address : '127.0.0.1';
  if ('address' in host) releases.push(() => removeHostAddress(address));
  const secret = randomBytes(16).toString('hex');
  const coturn = await Coturn.start(address, secret);
  releases.push(() => coturn.stop());
  const provider = await AiPeer.start();
  provider.transcription = json(CONVERSATION);
  provider.summary = completion('The customer complains of an invoice.');
  releases.push(() => provider.stop());
  const database = await cloneDatabase();
  const dataDir = new DataDir();
  releases.push(() => dataDir.remove(), stopServices);
  const port = await freePort();
  const servers: SharedServers = {
    address,
    refusal: 'refusal' in host ? host.refusal : null,
    url: `http://${PAGE_HOST}:${port}`,
    api_url: `http://${address}:${port}`,
    databaseUrl: database.url,
    logFile: join(dataDir.path, 'service.log'),
    turn: { port: coturn.port, pid: coturn.pid, urls: coturn.urls },
  };
  await ServiceProcess.start(
    {
      ...serviceVariables(servers, { port, dataDir: dataDir.path }),
      TURN_URLS: coturn.urls,
      TURN_SECRET: secret,
      AI_BASE_URL: provider.url,
      AI_TRANSCRIPTION_MODEL: 'whisper-1',
      AI_SUMMARY_MODEL: 'gpt-4o-mini',
    },
    { logFile: servers.logFile },
  );
  process.env[VARIABLE] = JSON.stringify(servers);
}
