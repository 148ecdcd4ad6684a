import { useConsole } from './console-context';
import { useNow } from '../ui/now';
import { useSignalValue } from '../ui/use-signal-value';

/** Milliseconds since 1970 by the clock of the service, every second: that of this computer can be wrong. */
export function useServerNow(): number {
  return useNow() + useSignalValue(useConsole().queue.clockOffset);
}
