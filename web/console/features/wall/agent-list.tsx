import { useVirtualizer } from '@tanstack/react-virtual';
import { useRef } from 'react';
import type { AgentItem } from '../../../shared/socket';
import { AgentRow } from './agent-row';
import { wallTexts } from './texts/texts';

const ROW_HEIGHT = 44;
const OVERSCAN = 8;

/** The page holds the visible agents only. */
export function AgentList({
  agents,
  onHandOver,
}: {
  agents: readonly AgentItem[];
  onHandOver: (callId: string) => void;
}) {
  const { agents: texts } = wallTexts.use();
  const scroller = useRef<HTMLDivElement>(null);
  const virtualizer = useVirtualizer({
    count: agents.length,
    getScrollElement: () => scroller.current,
    estimateSize: () => ROW_HEIGHT,
    overscan: OVERSCAN,
  });
  const { name, state, since, call, actions } = texts.columns;
  return (
    <div
      ref={scroller}
      className="rows wall-agents"
      role="table"
      aria-label={texts.title}
      aria-rowcount={agents.length + 1}
      // Scrolled by the keyboard.
      // oxlint-disable-next-line jsx-a11y/no-noninteractive-tabindex
      tabIndex={0}
    >
      <div role="rowgroup" className="head">
        <div role="row" aria-rowindex={1}>
          {[name, state, since, call, actions].map((header) => (
            <span key={header} role="columnheader">
              {header}
            </span>
          ))}
        </div>
      </div>
      <div role="rowgroup" className="body" style={{ blockSize: virtualizer.getTotalSize() }}>
        {virtualizer.getVirtualItems().map(({ index, start, size }) => {
          const agent = agents[index];
          return (
            agent && (
              <AgentRow
                key={agent.user_id}
                agent={agent}
                index={index}
                top={start}
                height={size}
                onHandOver={onHandOver}
              />
            )
          );
        })}
      </div>
    </div>
  );
}
