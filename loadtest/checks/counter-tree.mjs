// How many of the first n items still count, in logarithmic time: a Fenwick tree that grows.
export class CounterTree {
  #values = [];
  #sums = [0];

  get length() {
    return this.#values.length;
  }

  /** Adds an item that counts. @returns its index */
  append() {
    const end = this.#values.push(1);
    let sum = 1;
    const begin = end - (end & -end);
    for (let at = end - 1; at > begin; at -= at & -at) sum += this.#sums[at];
    this.#sums.push(sum);
    return end - 1;
  }

  /** The item does not count any more. */
  remove(index) {
    if (this.#values[index] !== 1) return;
    this.#values[index] = 0;
    for (let at = index + 1; at < this.#sums.length; at += at & -at) this.#sums[at]--;
  }

  /** @returns how many of the first `count` items count */
  countOfFirst(count) {
    let sum = 0;
    for (let at = count; at > 0; at -= at & -at) sum += this.#sums[at];
    return sum;
  }

  has(index) {
    return this.#values[index] === 1;
  }
}
