import { plural } from '../../../../shared/texts/plural';

const en = {
  title: 'Hand over the call',
  submit: 'Hand over',
  to: 'To',
  toDepartment: 'A department',
  toAgent: 'An agent',
  departmentHint: 'The customer waits there, before those who join later.',
  agentHint: 'The call stays with its agent until the other one accepts.',
  department: 'Department',
  agent: 'Agent',
  choose: 'Please choose',
  nobody: 'No other agent is available now.',
  waiting: (n: number) => plural(n, '1 waiting', `${n} waiting`),
  closed: (until: string) => (until ? `closed until ${until}` : 'closed'),
  full: (n: number) => `full, ${n} waiting`,
  note: 'Note for the next agent',
  moved: (name: string) => `The customer waits in ${name} now.`,
  asked: (name: string) => `${name} is being asked to take the call.`,
  ended: {
    declined: (name: string) => `${name} has declined the call. It stays where it is.`,
    expired: (name: string) => `${name} has not answered. The call stays where it is.`,
    withdrawn: (name: string) => `The call could not be handed over to ${name}.`,
  } as Record<string, (name: string) => string>,
};

export default en;
export type HandOverTexts = typeof en;
