/** Pictures of a recording per second. */
export const FRAME_RATE = 15;
