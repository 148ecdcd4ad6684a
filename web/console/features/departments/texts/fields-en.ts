/** The fields of a department, and what they do. */
const fields = {
  name: { label: 'Name' },
  identifier: { label: 'Identifier', help: 'For other systems: a-z, 0-9, _ and -' },
  description: { label: 'Description' },
  active: {
    label: 'Active',
    help: 'Links to an inactive department do not work; customers in its queue keep waiting.',
  },
  max_queue_size: { label: 'Places in the queue', help: 'When all are taken, nobody else can join.' },
  max_wait_time: {
    label: 'Longest wait',
    help: 'Then a waiting call counts as abandoned. Calls that are waiting already keep their limit.',
  },
  priority_step: {
    label: 'Value of one priority point',
    help: 'Each point moves a call forward in the queue as if it had waited this much longer.',
  },
  max_unanswered: {
    label: 'Unanswered assignments',
    help: 'After this many a call counts as missed.',
  },
  routing: {
    label: 'Routing',
    help: 'Whether agents choose from the queue, or the service chooses for them.',
  },
  agent_selection: { label: 'Selection', help: 'Which available agent is offered a call.' },
  offer_timeout: { label: 'Time to answer an offer', help: 'Then the call is offered to somebody else.' },
  wrap_up_time: { label: 'Wrap-up', help: 'Time after a call before the next one is offered.' },
  preferred_agent_wait: {
    label: 'Wait for the reserved agent',
    help: 'A call that is reserved for an agent is kept for them this long.',
  },
  skill_relax_after: {
    label: 'Skills are required for',
    help: 'After this wait any member may take the call. Empty: never.',
  },
  overflow_department_id: { label: 'Overflow department', help: 'Its members help.' },
  overflow_after: { label: 'Overflow after', help: 'A wait of this length. Empty: never.' },
  callback_enabled: { label: 'Customers can ask to be called back' },
  callback_attempts: { label: 'Invitations', help: 'After this many without an answer the call ends.' },
  callback_window: { label: 'Time to return', help: 'After an invitation.' },
};

export default fields;
