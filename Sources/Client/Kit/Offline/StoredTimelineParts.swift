/// A stored timeline from the newest to the oldest status, in parts. Each part is read when the loop reaches it.
///
/// ```swift
/// for try await part in store.parts(of: .home, count: 1000) {
///     for entry in part.entries { print(entry.entry.status.id) }
/// }
/// ```
///
/// The sequence is empty if nothing has been stored; otherwise, it has at least one part, which may have no entries. It
/// throws ``FeedClientError`` `.disk` or `CancellationError`.
///
/// ``StoredTimeline/startsWithGap`` of a further part tells whether statuses between it and the part before it may not
/// have been loaded.
public struct StoredTimelineParts: AsyncSequence, Sendable {
    /// The maximum number of statuses of a part: more than a terminal has rows for.
    static let size = 400

    let store: TimelineStore
    let name: TimelineName
    let start: TimelineReader.Position

    public func makeAsyncIterator() -> AsyncIterator { AsyncIterator(parts: self) }

    public struct AsyncIterator: AsyncIteratorProtocol {
        private let parts: StoredTimelineParts
        private var position: TimelineReader.Position?

        init(parts: StoredTimelineParts) {
            self.parts = parts
            position = parts.start
        }

        public mutating func next() async throws -> StoredTimeline? {
            guard let position else { return nil }
            let part = try await parts.store.part(of: parts.name, from: position, count: StoredTimelineParts.size)
            self.position = part?.next
            return part?.timeline
        }
    }
}
