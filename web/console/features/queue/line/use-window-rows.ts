import { useWindowVirtualizer } from '@tanstack/react-virtual';
import { useEffect, useState } from 'react';
import type { QueueEntry } from './queue.rules';

const HEADING_HEIGHT = 52;
const ROW_HEIGHT = 64;
const OVERSCAN = 8;

/** The entries that the window shows of a list that it scrolls: however many there are, only these are drawn. */
export function useWindowRows(entries: readonly QueueEntry[]) {
  const [list, setList] = useState<HTMLElement | null>(null);
  const margin = useTop(list);
  const virtualizer = useWindowVirtualizer({
    count: entries.length,
    estimateSize: (index) => (entries[index]?.kind === 'heading' ? HEADING_HEIGHT : ROW_HEIGHT),
    getItemKey: (index) => entries[index]?.key ?? index,
    overscan: OVERSCAN,
    scrollMargin: margin,
  });
  const rows = virtualizer.getVirtualItems().flatMap(({ index, start }) => {
    const entry = entries[index];
    return entry ? [{ index, top: start - margin, entry }] : [];
  });
  return { list: setList, rows, size: virtualizer.getTotalSize(), measure: virtualizer.measureElement };
}

/** Pixels from the beginning of the page to the element; what is above it can change its height. */
function useTop(element: HTMLElement | null): number {
  const [top, setTop] = useState(0);
  useEffect(() => {
    if (!element) return undefined;
    const observer = new ResizeObserver(() => {
      setTop(Math.round(element.getBoundingClientRect().top + scrollY));
    });
    observer.observe(document.body);
    return () => observer.disconnect();
  }, [element]);
  return top;
}
