import { useEffect, useState } from 'react';
import { useConsole } from '../../state/console-context';

/** When the service last told of a wait that is too long, by department, in milliseconds since 1970 by the clock of this computer. */
export function useToldAlerts(): ReadonlyMap<string, number> {
  const { socket, queue } = useConsole();
  const [told, setTold] = useState<ReadonlyMap<string, number>>(new Map());
  useEffect(
    () =>
      socket.on('alert', ({ kind, department_id, since }) => {
        if (kind !== 'longest_wait') return;
        const began = Date.parse(since) - queue.clockOffset.peek();
        setTold((known) => new Map([...known, [department_id, began]]));
      }),
    [socket, queue],
  );
  return told;
}
