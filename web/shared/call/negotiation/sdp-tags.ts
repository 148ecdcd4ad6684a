/** Ties answers to offers: without it, a late answer to an earlier offer would be taken for the answer to the newest one. */
const TAG = 'a=x-answers:';

export interface OfferOrigin {
  /** Of the RTCPeerConnection that made the offer. */
  connection: string;
  /** Grows with each offer of the connection. */
  version: string;
}

/** @returns the fields of the line `o=` (RFC 8866), or null */
export function originOf(sdp: string | undefined): OfferOrigin | null {
  const match = /^o=\S+ (\d+) (\d+) /m.exec(sdp ?? '');
  return match && { connection: match[1] ?? '', version: match[2] ?? '' };
}

/** @returns the answer with the origin of its offer, in an attribute that browsers ignore (RFC 8866, section 5.13) */
export function tagAnswer(answer: string, offer: string | undefined): string {
  const origin = originOf(offer);
  return origin ? `${answer}${TAG}${origin.connection} ${origin.version}\r\n` : answer;
}

/** Clients of others send no tag: their answers are believed. */
export function isAnswerTo(answer: string | undefined, offer: string | undefined): boolean {
  const match = /^a=x-answers:(\d+) (\d+)/m.exec(answer ?? '');
  const origin = originOf(offer);
  return !match || !origin || (match[1] === origin.connection && match[2] === origin.version);
}

/** @returns whether a candidate belongs to the description, which is of the same side */
export function isCandidateOf(candidate: RTCIceCandidateInit, sdp: string | undefined): boolean {
  if (sdp === undefined) return false;
  const fragment = candidate.usernameFragment;
  return !fragment || sdp.includes(`a=ice-ufrag:${fragment}\r\n`);
}
