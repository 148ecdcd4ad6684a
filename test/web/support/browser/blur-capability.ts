import type { Page } from 'playwright-core';

/** Gives the cameras of a page the background blur that browsers on some systems have, and a headless Chromium has not. */
export async function addBlurCapability(page: Page): Promise<void> {
  await page.evaluate(() => {
    const { prototype } = MediaStreamTrack;
    const { getCapabilities, getSettings, applyConstraints } = prototype;
    const blurred = new WeakSet<MediaStreamTrack>();
    prototype.getCapabilities = function () {
      const capabilities = getCapabilities.call(this);
      return this.kind === 'video' ? { ...capabilities, backgroundBlur: [false, true] } : capabilities;
    };
    prototype.getSettings = function () {
      const settings = getSettings.call(this);
      return this.kind === 'video' ? { ...settings, backgroundBlur: blurred.has(this) } : settings;
    };
    prototype.applyConstraints = async function ({ backgroundBlur, ...others } = {}) {
      await applyConstraints.call(this, others);
      if (backgroundBlur === true) blurred.add(this);
      else blurred.delete(this);
    };
  });
}

/** Whether the background is blurred in each picture that the page sends. */
export const blurOfSentPictures = (page: Page): Promise<boolean[]> =>
  page.evaluate(() =>
    (window.peerConnections ?? [])
      .filter(({ connectionState }) => connectionState === 'connected')
      .flatMap((connection) => connection.getSenders())
      .flatMap(({ track }) => (track?.kind === 'video' ? [track.getSettings().backgroundBlur === true] : [])),
  );
