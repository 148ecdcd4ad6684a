/** The acknowledgement of a signal that a socket of the other side gets. */
export const DELIVERED = { ok: true, data: { delivered: true } };

/** The acknowledgement of a signal while the other side has no socket that gets it. */
export const UNDELIVERED = { ok: true, data: { delivered: false } };
