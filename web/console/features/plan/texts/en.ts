const en = {
  title: 'Plan',
  period: (period: string) => `Current period: ${period}`,
  plans: {
    free: 'Free',
    basic: 'Basic',
    advanced: 'Advanced',
    professional: 'Professional',
    enterprise: 'Enterprise',
  },
  statuses: {
    pending: 'Payment expected',
    active: 'Active',
    past_due: 'Payment overdue',
    cancelled: 'Cancelled',
  },
  statusTexts: {
    pending: 'Until the payment arrives, the limits of the free plan apply.',
    past_due: 'A payment is overdue. The limits beside apply now.',
    cancelled: 'The plan was cancelled. The limits beside apply now.',
  },
  features: { recording: 'Recording', transcription: 'Transcription', analytics: 'Detailed reports' },
  usage: 'Limits and usage',
  users: 'Active users',
  departments: 'Active departments',
  links: 'Active links',
  storage: 'Storage of recordings and files',
  concurrentCalls: 'Calls at the same time, at most',
  webhooks: 'Webhooks, at most',
  calls: 'Calls this month',
  unlimited: 'unlimited',
  of: (used: string, limit: string) => `${used} of ${limit}`,
  full: 'The limit is reached.',
};

export default en;
export type PlanTexts = typeof en;
