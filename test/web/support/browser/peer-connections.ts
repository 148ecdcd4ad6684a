import type { BrowserContext, Page } from 'playwright-core';
import { until } from '../../../support/until';

declare global {
  interface Window {
    /** All peer connections that the page has made. */
    peerConnections?: RTCPeerConnection[];
    /** All recorders that the page has made. */
    mediaRecorders?: MediaRecorder[];
  }
}

/** Makes the pages of a context remember their peer connections and recorders for the checks of a spec. */
export async function recordPeerConnections(context: BrowserContext): Promise<void> {
  await context.addInitScript(keepPeerConnections);
  await context.addInitScript(() => {
    const recorders: MediaRecorder[] = [];
    window.mediaRecorders = recorders;
    window.MediaRecorder = class extends MediaRecorder {
      constructor(stream: MediaStream, options?: MediaRecorderOptions) {
        super(stream, options);
        recorders.push(this);
      }
    };
  });
}

/** Runs in the page, before its scripts. */
export function keepPeerConnections(): void {
  const made: RTCPeerConnection[] = [];
  window.peerConnections = made;
  window.RTCPeerConnection = class extends RTCPeerConnection {
    constructor(configuration?: RTCConfiguration) {
      super(configuration);
      made.push(this);
    }
  };
}

/** The selected candidate pair of the page's newest connection that is not closed. */
export interface SelectedPath {
  local: string;
  remote: string;
  protocol: string;
}

/** Waits until the media of a page take a path that matches. */
export async function waitForPath(
  page: Page,
  matches: (path: SelectedPath) => boolean,
): Promise<SelectedPath> {
  let last: SelectedPath[] = [];
  return until(
    async () => {
      last = await selectedPaths(page);
      return last.find(matches);
    },
    () => `no such path among ${JSON.stringify(last)}`,
  );
}

async function selectedPaths(page: Page): Promise<SelectedPath[]> {
  return page.evaluate(async () => {
    const paths: { local: string; remote: string; protocol: string }[] = [];
    for (const connection of window.peerConnections ?? []) {
      if (connection.connectionState !== 'connected') continue;
      const stats = new Map<string, Record<string, string>>();
      (await connection.getStats()).forEach((entry, id) => stats.set(id, entry));
      for (const { type, selectedCandidatePairId } of stats.values()) {
        const pair = type === 'transport' && stats.get(selectedCandidatePairId ?? '');
        if (!pair) continue;
        const local = stats.get(pair.localCandidateId ?? '');
        const remote = stats.get(pair.remoteCandidateId ?? '');
        paths.push({
          local: local?.candidateType ?? '',
          remote: remote?.candidateType ?? '',
          protocol: local?.relayProtocol ?? local?.protocol ?? '',
        });
      }
    }
    return paths;
  });
}
