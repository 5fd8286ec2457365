/// Elements in the order of arrival. Both adding and removing take constant time on average.
package struct FIFOQueue<Element: Sendable>: Sendable {
    private var elements: [Element] = []
    /// The number of elements at the front of ``elements`` that have been removed.
    private var removed = 0

    package var count: Int { elements.count - removed }

    package init() {}

    package mutating func append(_ element: Element) { elements.append(element) }

    /// Removes the oldest element.
    package mutating func next() -> Element? {
        guard removed < elements.count else { return nil }
        defer { compact() }
        removed += 1
        return elements[removed - 1]
    }

    private mutating func compact() {
        guard removed == elements.count || removed > 64 && removed > elements.count / 2 else { return }
        elements.removeFirst(removed)
        removed = 0
    }
}
