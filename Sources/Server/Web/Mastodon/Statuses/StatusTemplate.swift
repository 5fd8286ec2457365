import FeedAPI
import FeedCore

extension StatusTemplate {
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
            let (marks, isAuthor) = (ViewerMarks(on: status, of: viewer, matches), viewer == status.account.id)
            self.status = Self.fields { $0.own(marks, canPin: isAuthor && status.visibility != .direct) }
            poll = status.poll == nil ? [] : Self.fields { $0.ownVotes(marks, isAuthor: isAuthor) }
        }

        private static func fields(_ write: (inout JSONWriter) -> Void) -> [UInt8] {
            var json = JSONWriter(capacity: 128)
            json.object(write)
            return [UInt8(ascii: ",")] + json.bytes.dropFirst().dropLast()
        }
    }

    /// - Parameter status: The status; its marks are left out.
    init(_ status: Status, _ entities: EntityContext) {
        var json = JSONWriter(capacity: 4096, recordsGaps: true)
        json.status(status, entities, viewer: nil)
        // Without the unused capacity, which an array of a slice would share.
        self.init(bytes: json.bytes.withUnsafeBufferPointer { Array($0) }, gaps: json.gaps ?? [], of: status)
    }

    /// Whether a gap is that of the poll, which comes before the fields of its status. A boost contains the fields twice,
    /// because it repeats the content of the boosted status.
    func isPoll(_ gap: Int) -> Bool { hasPoll && gap.isMultiple(of: 2) }

    /// The complete JSON.
    func filled(with own: OwnFields) -> [UInt8] {
        guard own != .none else { return bytes }
        var filled: [UInt8] = []
        filled.reserveCapacity(bytes.count + gaps.count * max(own.status.count, own.poll.count))
        var start = 0
        for (index, gap) in gaps.enumerated() {
            filled += bytes[start..<gap]
            filled += isPoll(index) ? own.poll : own.status
            start = gap
        }
        return filled + bytes[start...]
    }
}

extension JSONWriter {
    /// Writes a Status entity, for an anonymous visitor without the fields that depend on the viewer.
    mutating func status(_ template: StatusTemplate, _ marks: ViewerMarks?) {
        guard let marks else { return encoded(template.bytes) }
        encoded(template.bytes, gaps: template.gaps) { json, gap in
            if template.isPoll(gap) {
                json.ownVotes(marks, isAuthor: marks.viewer == template.references.author)
            } else {
                json.own(marks, canPin: template.canPin(marks.viewer))
            }
        }
    }
}
