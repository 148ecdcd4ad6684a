import type { Unsubscribe } from '../emitter';

interface AppleVideo extends HTMLVideoElement {
  webkitSupportsPresentationMode?: (mode: string) => boolean;
  webkitSetPresentationMode?: (mode: string) => void;
  webkitPresentationMode?: string;
}

export function canShowPictureInPicture(video: HTMLVideoElement): boolean {
  const apple = video as AppleVideo;
  if (document.pictureInPictureEnabled) return !video.disablePictureInPicture;
  return apple.webkitSupportsPresentationMode?.('picture-in-picture') ?? false;
}

/** Shows the video above other windows, or puts it back. Call it in a click. @returns whether it is shown there now */
export async function togglePictureInPicture(video: HTMLVideoElement): Promise<boolean> {
  const apple = video as AppleVideo;
  if (!document.pictureInPictureEnabled) {
    const isShown = apple.webkitPresentationMode === 'picture-in-picture';
    apple.webkitSetPresentationMode?.(isShown ? 'inline' : 'picture-in-picture');
    return !isShown;
  }
  if (document.pictureInPictureElement === video) {
    await document.exitPictureInPicture();
    return false;
  }
  await video.requestPictureInPicture();
  return true;
}

/** The window can also be closed by its own button. */
export function onPictureInPicture(
  video: HTMLVideoElement,
  listener: (isShown: boolean) => void,
): Unsubscribe {
  const enter = () => listener(true);
  const leave = () => listener(false);
  video.addEventListener('enterpictureinpicture', enter);
  video.addEventListener('leavepictureinpicture', leave);
  return () => {
    video.removeEventListener('enterpictureinpicture', enter);
    video.removeEventListener('leavepictureinpicture', leave);
  };
}
