import type { Cue } from './cluster-writer';
import { EBML_ID, element, elementHead, unsigned } from './ebml';
import type { WebmHeader } from './webm-header';

/** What is known of the clusters of a file. */
interface Clusters {
  /** Milliseconds. */
  duration: number;
  cues: readonly Cue[];
}

/**
 * What precedes the first cluster of a file: the duration and an index, with which players seek (RFC 9559).
 * @param length of all clusters, in bytes
 */
export function webmHead(header: WebmHeader, { duration, cues }: Clusters, length: number): Buffer {
  const milliseconds = Buffer.alloc(8);
  milliseconds.writeDoubleBE(duration);
  const info = element(EBML_ID.info, header.info, element(EBML_ID.duration, milliseconds));
  const start = info.length + header.tracksElement.length;
  // Entries of one length: where the clusters begin does not change it.
  const index = cuesElement(cues, start + cuesElement(cues, 0).length);
  const segment = elementHead(EBML_ID.segment, start + index.length + length);
  return Buffer.concat([header.ebml, segment, info, header.tracksElement, index]);
}

/** @param first where the first cluster begins in the segment. @returns nothing without an entry: players refuse it */
function cuesElement(cues: readonly Cue[], first: number): Buffer {
  if (cues.length === 0) return Buffer.alloc(0);
  const points = cues.map(({ time, track, at }) =>
    element(
      EBML_ID.cuePoint,
      element(EBML_ID.cueTime, unsigned(time)),
      element(
        EBML_ID.cueTrackPositions,
        element(EBML_ID.cueTrack, unsigned(track)),
        element(EBML_ID.cueClusterPosition, unsigned(first + at)),
      ),
    ),
  );
  return element(EBML_ID.cues, ...points);
}
