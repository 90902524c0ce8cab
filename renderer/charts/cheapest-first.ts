interface Entry {
  item: number
  cost: number
}

/** A queue that gives back the cheapest entry first. */
export class CheapestFirst {
  readonly #heap: Entry[] = []

  put(item: number, cost: number) {
    const entry = { item, cost }
    let at = this.#heap.push(entry) - 1
    while (at > 0) {
      const over = (at - 1) >> 1
      const above = this.#heap[over]
      if (!above || above.cost <= cost) break
      this.#heap[at] = above
      at = over
    }
    this.#heap[at] = entry
  }

  take(): Entry | undefined {
    const top = this.#heap[0]
    const last = this.#heap.pop()
    if (last && this.#heap.length > 0) this.#sink(last)
    return top
  }

  #sink(entry: Entry) {
    let at = 0
    for (;;) {
      const below = this.#cheaperBelow(at)
      const child = this.#heap[below]
      if (!child || child.cost >= entry.cost) break
      this.#heap[at] = child
      at = below
    }
    this.#heap[at] = entry
  }

  #cheaperBelow(at: number) {
    const [first, second] = [this.#heap[2 * at + 1], this.#heap[2 * at + 2]]
    return first && second && second.cost < first.cost ? 2 * at + 2 : 2 * at + 1
  }
}
