export type Unsubscribe = () => void;

/** Typed events inside the page. A listener is removed by calling what `on` returned. */
export class Emitter<Events extends object> {
  private readonly listeners = new Map<keyof Events, Set<(payload: never) => void>>();

  on<E extends keyof Events>(event: E, listener: (payload: Events[E]) => void): Unsubscribe {
    const listeners = this.listeners.get(event) ?? new Set();
    this.listeners.set(event, listeners.add(listener));
    return () => listeners.delete(listener);
  }

  protected send<E extends keyof Events>(event: E, payload: Events[E]): void {
    for (const listener of this.listeners.get(event) ?? []) listener(payload as never);
  }

  protected removeListeners(): void {
    this.listeners.clear();
  }
}
