import { plural } from '../../../../shared/texts/plural';

const en = {
  title: 'Live wall',
  fullScreen: 'Full screen',
  leaveFullScreen: 'Leave full screen',
  stale: (time: string) => `No news from the service since ${time}. The figures below are old.`,
  noLines: 'There are no departments yet.',
  totals: {
    label: 'Today',
    waiting: 'Waiting now',
    inCall: 'In a call now',
    offered: 'Calls today',
    answered: 'Answered',
    abandoned: 'Abandoned or missed',
    serviceLevel: (target: string) => `Answered within ${target}`,
    averageWait: 'Average wait',
  },
  line: {
    closed: 'Closed',
    closedUntil: (time: string) => `Closed until ${time}`,
    waiting: (n: number) => plural(n, 'waiting', 'waiting'),
    longest: 'Longest wait',
    serviceLevel: (target: string) => `Within ${target} today`,
    members: (available: number, all: number) => `${available} of ${all} agents available`,
    more: (n: number) => plural(n, 'and 1 more', `and ${n} more`),
    absent: 'not connected',
    callback: 'will be called back',
  },
  noCalls: '–',
  alerts: {
    nobody_available: 'Nobody available',
    over_target: (target: string) => `Waiting longer than ${target}`,
    longest_wait: 'Alert: wait too long',
  },
  agents: {
    title: 'Agents',
    all: 'All',
    search: 'Find an agent',
    none: 'No agent matches.',
    columns: { name: 'Agent', state: 'State', since: 'For', call: 'Call', actions: 'Change' },
    openCall: 'Open the call',
    openCallOf: (name: string) => `Open the call of ${name}`,
    change: (name: string) => `Change the state of ${name}`,
    makeAvailable: 'Make available',
    pause: 'Pause',
    pauseFor: (reason: string) => `Pause: ${reason}`,
    handOver: 'Hand over the call',
    changed: (name: string) => `The state of ${name} was changed.`,
    changesLater: (name: string) => `The state of ${name} changes after the call and the wrap-up.`,
    reserved: 'The call has not begun yet: open it to assign it to somebody else.',
    paused: (state: string, reason: string) => `${state}: ${reason}`,
  },
};

export default en;
export type WallTexts = typeof en;
