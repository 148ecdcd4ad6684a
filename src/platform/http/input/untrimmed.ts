const UNTRIMMED = Symbol('UNTRIMMED');

/** Turns trimming off for a DTO: for example, a session description ends with a line break. */
export const Untrimmed = (): ClassDecorator => (target) => Reflect.defineMetadata(UNTRIMMED, true, target);

export const isUntrimmed = (target: object): boolean => Reflect.hasMetadata(UNTRIMMED, target);
