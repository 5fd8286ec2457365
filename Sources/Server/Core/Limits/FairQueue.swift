/// Elements that wait for their turn. Their owners take turns, and the elements of one owner come in the order of
/// arrival, so an owner of many elements delays the others no more than an owner of one.
///
/// The callers that add elements bound its memory.
package struct FairQueue<Owner: Hashable & Sendable, Element: Sendable>: Sendable {
    private var queues: [Owner: [(number: UInt64, element: Element)]] = [:]
    /// Each key of ``queues`` once, in the order of their turns.
    private var owners = FIFOQueue<Owner>()
    /// The number of elements.
    package private(set) var count = 0

    package init() {}

    /// - Parameter number: Tells the element apart from the others of its owner.
    package mutating func append(_ element: Element, number: UInt64, of owner: Owner) {
        if queues[owner] == nil { owners.append(owner) }
        queues[owner, default: []].append((number, element))
        count += 1
    }

    /// Removes an element before its turn. Takes time in proportion to the number of elements of its owner.
    package mutating func remove(_ number: UInt64, of owner: Owner) -> Element? {
        guard let index = queues[owner]?.firstIndex(where: { $0.number == number }) else { return nil }
        count -= 1
        // An owner without elements keeps its place, so that it is never in the order twice.
        return queues[owner]?.remove(at: index).element
    }

    /// Removes the element whose turn it is.
    package mutating func next() -> Element? {
        while let owner = owners.next() {
            if let element = removeFirst(of: owner) { return element }
        }
        return nil
    }

    /// Removes the first element of an owner, and puts the owner behind all others if it has more.
    private mutating func removeFirst(of owner: Owner) -> Element? {
        guard let first = queues[owner]?.first else {
            queues[owner] = nil
            return nil
        }
        count -= 1
        queues[owner]?.removeFirst()
        if queues[owner]?.isEmpty ?? true {
            queues[owner] = nil
        } else {
            owners.append(owner)
        }
        return first.element
    }
}

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
