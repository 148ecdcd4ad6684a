import { useEffect, useState } from 'react';

const FLAG = 'wallFull';

const toggle = () =>
  document.fullscreenElement ? document.exitFullscreen() : document.documentElement.requestFullscreen();

/** The whole page in full screen, without what surrounds the wall: dialogs and notices stay visible. */
export function useFullScreen(): { isFull: boolean; toggle: () => Promise<void> } {
  const [isFull, setFull] = useState(false);
  useEffect(() => {
    const root = document.documentElement;
    const follow = () => {
      const full = document.fullscreenElement === root;
      setFull(full);
      if (full) root.dataset[FLAG] = '';
      else delete root.dataset[FLAG];
    };
    document.addEventListener('fullscreenchange', follow);
    return () => {
      document.removeEventListener('fullscreenchange', follow);
      delete root.dataset[FLAG];
      if (document.fullscreenElement) void document.exitFullscreen();
    };
  }, []);
  return { isFull, toggle };
}
