import { DomainEvent } from '../platform/events/domain-event';
import { RecordUpdated } from '../platform/events/record-updated';

export class TagCreated extends DomainEvent {
  readonly type = 'tag.created';
}

export class TagUpdated extends RecordUpdated {
  readonly type = 'tag.updated';
}

export class TagDeleted extends DomainEvent {
  readonly type = 'tag.deleted';
}
