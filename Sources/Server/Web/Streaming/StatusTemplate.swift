import FeedAPI
import FeedCore

/// The JSON of a status that is encoded once for many viewers. What depends on the viewer is inserted for each of them.
struct StatusTemplate: Sendable {
    /// The fields that depend on the viewer. Most viewers have equal ones.
    struct OwnFields: Sendable, Hashable {
        /// Of an anonymous visitor.
        static let none = OwnFields()

        /// The fields of the status, each preceded by a comma.
        fileprivate let status: [UInt8]
        /// The fields of its poll, likewise.
        fileprivate let poll: [UInt8]

        private init() { (status, poll) = ([], []) }

        /// - Parameter status: The status with the marks of the viewer.
        init(_ status: Status, viewer: Int64, matches: [FilterMatch]) {
            self.status = Self.fields { $0.own(status, viewer, matches) }
            poll = status.poll.map { poll in Self.fields { $0.own(poll, of: status.account.id, viewer) } } ?? []
        }

        private static func fields(_ write: (inout JSONWriter) -> Void) -> [UInt8] {
            var json = JSONWriter(capacity: 128)
            json.object(write)
            return [UInt8(ascii: ",")] + json.bytes.dropFirst().dropLast()
        }
    }

    private let bytes: [UInt8]
    private let gaps: [Int]
    private let hasPoll: Bool

    /// - Parameter status: The status without marks.
    init(_ status: Status, _ entities: EntityContext) {
        var json = JSONWriter(capacity: 4096, recordsGaps: true)
        json.status(status, entities, viewer: nil)
        bytes = json.bytes
        gaps = json.gaps ?? []
        hasPoll = status.poll != nil
    }

    /// The complete JSON. A boost contains the fields twice, because it repeats the content of the boosted status.
    func filled(with own: OwnFields) -> [UInt8] {
        guard own != .none else { return bytes }
        var filled: [UInt8] = []
        filled.reserveCapacity(bytes.count + gaps.count * max(own.status.count, own.poll.count))
        var start = 0
        for (index, gap) in gaps.enumerated() {
            filled += bytes[start..<gap]
            // The poll comes before the fields of its status.
            filled += hasPoll && index.isMultiple(of: 2) ? own.poll : own.status
            start = gap
        }
        return filled + bytes[start...]
    }
}
