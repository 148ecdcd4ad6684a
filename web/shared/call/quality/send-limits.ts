export interface VideoLimit {
  /** The picture is sent this many times smaller. */
  scale: number;
  framerate: number;
  maxBitrate: number;
}

/** Null: not sent. */
export interface SendLimits {
  camera: VideoLimit | null;
  screen: VideoLimit | null;
}

const CAMERA: readonly (VideoLimit | null)[] = [
  { scale: 1, framerate: 30, maxBitrate: 1_500_000 },
  { scale: 2, framerate: 30, maxBitrate: 600_000 },
  { scale: 4, framerate: 30, maxBitrate: 250_000 },
  { scale: 4, framerate: 12, maxBitrate: 120_000 },
  null,
];

/** A screen keeps its resolution as long as possible, because small text must stay readable. */
const SCREEN: readonly (VideoLimit | null)[] = [
  { scale: 1, framerate: 15, maxBitrate: 2_500_000 },
  { scale: 1, framerate: 8, maxBitrate: 1_000_000 },
  { scale: 1, framerate: 5, maxBitrate: 500_000 },
  { scale: 1.5, framerate: 3, maxBitrate: 250_000 },
  null,
];

/** Bits per second below which the picture of a step falls apart, with the sound. */
const NEEDED = [250_000, 150_000, 100_000, 60_000, 0] as const;

export const LAST_STEP = CAMERA.length - 1;

/** Beside a shared screen, the camera gets what it gets one step lower. */
export function limitsAt(step: number, sharesScreen: boolean): SendLimits {
  const camera = sharesScreen ? Math.min(step + 1, LAST_STEP) : step;
  return { camera: CAMERA[camera] ?? null, screen: SCREEN[step] ?? null };
}

export function neededBitrate(step: number): number {
  return NEEDED[step] ?? 0;
}
