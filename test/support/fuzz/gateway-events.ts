import { getMetadataStorage } from 'class-validator';
import { LiveGateway } from '../../../src/live/live.gateway';

/** An event that clients send. */
export interface GatewayEvent {
  name: string;
  /** The fields of its payload. */
  fields: string[];
}

/** The metadata by which Nest knows the methods that handle events: their name, and the types of their parameters. */
const EVENT_NAME = 'message';
const PARAMETER_TYPES = 'design:paramtypes';

/** Every event of the gateway, with the fields that its payload declares. */
export function gatewayEvents(): GatewayEvent[] {
  const gateway = LiveGateway.prototype;
  return Object.getOwnPropertyNames(gateway).flatMap((method) => {
    const name = Reflect.getMetadata(EVENT_NAME, gateway[method as keyof LiveGateway] as object) as unknown;
    if (typeof name !== 'string') return [];
    const [, payload] = Reflect.getMetadata(PARAMETER_TYPES, gateway, method) as (new () => object)[];
    return [{ name, fields: payload ? fieldsOf(payload) : [] }];
  });
}

function fieldsOf(payload: new () => object): string[] {
  const rules = getMetadataStorage().getTargetValidationMetadatas(payload, '', false, false);
  return [...new Set(rules.map(({ propertyName }) => propertyName))];
}
