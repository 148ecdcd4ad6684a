/** Where a picture is drawn, in pixels. */
export interface Area {
  x: number;
  y: number;
  width: number;
  height: number;
}

export interface Size {
  width: number;
  height: number;
}

/** What a shared screen takes of the width; the people stand beside it. */
const SCREEN_SHARE = 3 / 4;

/**
 * Divides a picture between the people, side by side, and a shared screen, with the people one above the other at its right.
 * @returns the area of the screen, if there is one, and then one for each of the people
 */
export function areasOf({ width, height }: Size, people: number, hasScreen: boolean): Area[] {
  if (!hasScreen) {
    const each = width / Math.max(1, people);
    return Array.from({ length: people }, (_, n) => ({ x: n * each, y: 0, width: each, height }));
  }
  const left = people === 0 ? width : width * SCREEN_SHARE;
  const each = height / Math.max(1, people);
  const beside = Array.from({ length: people }, (_, n) => ({
    x: left,
    y: n * each,
    width: width - left,
    height: each,
  }));
  return [{ x: 0, y: 0, width: left, height }, ...beside];
}

/** @returns where a picture is as large as possible, whole, and in the middle of the area */
export function fitInto(area: Area, { width, height }: Size): Area {
  const scale = Math.min(area.width / width, area.height / height);
  const size = { width: width * scale, height: height * scale };
  return {
    x: area.x + (area.width - size.width) / 2,
    y: area.y + (area.height - size.height) / 2,
    ...size,
  };
}
