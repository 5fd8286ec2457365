import FeedAPI
package import HTTPTypes

/// What is there to be asked about: its validators and its size.
package struct Representation: Equatable, Sendable {
    package var tag: EntityTag
    /// Seconds since 1970; `nil` where there is no meaningful time.
    package var modified: Int64?
    /// In bytes.
    package var size: Int64

    package init(tag: EntityTag, modified: Int64?, size: Int64) {
        self.tag = tag
        self.modified = modified
        self.size = size
    }
}

/// What a request for a representation comes to.
package enum RangeDecision: Equatable, Sendable {
    case whole
    case parts([ByteRange])
    case notModified
    case preconditionFailed
    case unsatisfiable
}

/// The preconditions of a request, decided in the order of RFC 9110 §13.2.2. Pure; one answer for every face.
package struct Preconditions: Sendable {
    private let headers: HTTPFields
    private let reads: Bool
    private let ranges: Bool

    package init(method: HTTPRequest.Method, headers: HTTPFields) {
        self.headers = headers
        reads = method == .get || method == .head
        ranges = method == .get
    }

    /// For GET and HEAD.
    /// - Parameter now: Seconds since 1970, for the strength of dates in If-Range.
    package func decide(_ representation: Representation, now: Int64) -> RangeDecision {
        if let failure = precondition(representation) { return failure }
        guard ranges, headers[values: .range].count == 1, let range = headers[.range],
            rangeApplies(to: representation, now: now)
        else { return .whole }
        switch ByteRanges(parsing: range, size: representation.size) {
        case .ignored: return .whole
        case .unsatisfiable: return .unsatisfiable
        case .parts(let parts): return .parts(parts)
        }
    }

    /// For methods that change something: whether they may go ahead. `nil` stands for "nothing is there".
    package func allowWrite(over present: Representation?) -> Bool {
        guard let present else {
            return headers[values: .ifMatch].isEmpty
        }
        return precondition(present) == nil
    }

    /// Whether any precondition is there that depends on what is stored.
    package var isConditional: Bool {
        [HTTPField.Name.ifMatch, .ifNoneMatch, .ifUnmodifiedSince].contains { headers.contains($0) }
    }

    private func precondition(_ representation: Representation) -> RangeDecision? {
        if let list = list(.ifMatch) {
            guard list.contains(where: { $0.matchesStrongly(representation.tag) }) else { return .preconditionFailed }
        } else if let limit = date(.ifUnmodifiedSince), let modified = representation.modified, modified > limit {
            return .preconditionFailed
        }
        if let list = list(.ifNoneMatch) {
            guard list.contains(where: { $0.matchesWeakly(representation.tag) }) else { return nil }
            return reads ? .notModified : .preconditionFailed
        }
        if reads, let since = date(.ifModifiedSince), let modified = representation.modified, modified <= since {
            return .notModified
        }
        return nil
    }

    /// If-Range (§13.1.5): one validator, compared strongly; a date only when it is exact and a second old.
    private func rangeApplies(to representation: Representation, now: Int64) -> Bool {
        guard headers.contains(.ifRange) else { return true }
        guard let value = headers[.ifRange]?.trimmingBlanks else { return false }
        if value.hasPrefix("\"") || value.hasPrefix("W/") {
            guard case .tags(let tags) = EntityTagList(parsing: value), tags.count == 1 else { return false }
            return tags[0].matchesStrongly(representation.tag)
        }
        guard let date = HTTPDate.seconds(value), let modified = representation.modified else { return false }
        return date == modified && modified < now
    }

    private func list(_ name: HTTPField.Name) -> EntityTagList? {
        let lines = headers[values: name]
        return lines.isEmpty ? nil : EntityTagList(parsing: lines.joined(separator: ", "))
    }

    private func date(_ name: HTTPField.Name) -> Int64? {
        let lines = headers[values: name]
        return lines.count == 1 ? HTTPDate.seconds(lines[0]) : nil
    }
}
