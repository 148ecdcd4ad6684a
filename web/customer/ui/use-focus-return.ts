import { useLayoutEffect, useRef } from 'preact/hooks';

/**
 * Gives the focus back to the control that opened something, when that is closed. Only if the focus was in what has gone: a
 * tap elsewhere has moved it already.
 * @param area contains the control, which may be a new element by then
 */
export function useFocusReturn(isOpen: boolean, area: { current: HTMLElement | null }, control: string) {
  const wasOpen = useRef(isOpen);
  useLayoutEffect(() => {
    const isClosed = wasOpen.current && !isOpen;
    wasOpen.current = isOpen;
    if (isClosed && document.activeElement === document.body) {
      area.current?.querySelector<HTMLElement>(control)?.focus();
    }
  }, [isOpen]);
}
