const INTERVAL_MS = 1000;

/**
 * Shows a text in the title of the tab, every other second; all the time where motion is unwelcome.
 * @returns shows the title of the page again
 */
export function blinkTitle(text: string): () => void {
  const marked = `● ${text}`;
  const isStill = matchMedia('(prefers-reduced-motion: reduce)').matches;
  let title = document.title;
  const tick = () => {
    // Another page was opened meanwhile.
    if (document.title !== marked) title = document.title;
    document.title = document.title === marked && !isStill ? title : marked;
  };
  tick();
  const timer = setInterval(tick, INTERVAL_MS);
  return () => {
    clearInterval(timer);
    if (document.title === marked) document.title = title;
  };
}
