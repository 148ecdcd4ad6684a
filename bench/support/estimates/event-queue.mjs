// The events of a simulation, by time.

/** A binary heap. Events of the same time are taken in the order in which they were added. */
export class EventQueue {
  #heap = [];
  #added = 0;

  get length() {
    return this.#heap.length;
  }

  add(time, run) {
    const heap = this.#heap;
    const event = { time, order: this.#added++, run };
    let index = heap.length;
    heap.push(event);
    while (index > 0) {
      const parent = (index - 1) >> 1;
      if (!isBefore(event, heap[parent])) break;
      heap[index] = heap[parent];
      index = parent;
    }
    heap[index] = event;
  }

  /** Removes the first event and returns it. */
  take() {
    const heap = this.#heap;
    const [first] = heap;
    const last = heap.pop();
    if (heap.length === 0) return first;
    let index = 0;
    for (let child = 1; child < heap.length; child = 2 * index + 1) {
      if (child + 1 < heap.length && isBefore(heap[child + 1], heap[child])) child += 1;
      if (!isBefore(heap[child], last)) break;
      heap[index] = heap[child];
      index = child;
    }
    heap[index] = last;
    return first;
  }
}

const isBefore = (one, other) =>
  one.time < other.time || (one.time === other.time && one.order < other.order);
