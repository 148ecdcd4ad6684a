import { DomainEvent } from '../platform/events/domain-event';

export class AccessLinkCreated extends DomainEvent {
  readonly type = 'access_link.created';
}
