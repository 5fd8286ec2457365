import FeedAPI
package import HTTPTypes

/// Evaluates the preconditions of a request in the order given by RFC 9110 §13.2.2.
package struct Preconditions: Sendable {
    private let headers: HTTPFields
    private let reads: Bool
    private let ranges: Bool

    package init(method: HTTPRequest.Method, headers: HTTPFields) {
        self.headers = headers
        reads = method == .get || method == .head
        ranges = method == .get
    }

    /// Evaluates the preconditions and the Range header field of a GET or HEAD request.
    /// - Parameter now: Seconds since 1970; determines whether a date in If-Range is a strong validator.
    package func decide(_ representation: RepresentationMetadata, now: Int64) -> RangeDecision {
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

    /// Whether the preconditions allow a request that modifies the resource.
    /// - Parameter representation: The current representation; `nil` if the resource does not exist.
    package func allowWrite(over representation: RepresentationMetadata?) -> Bool {
        guard let representation else {
            return headers[values: .ifMatch].isEmpty
        }
        return precondition(representation) == nil
    }

    /// Whether the request has a precondition that depends on the current representation.
    package var isConditional: Bool {
        [HTTPField.Name.ifMatch, .ifNoneMatch, .ifUnmodifiedSince].contains { headers.contains($0) }
    }

    private func precondition(_ representation: RepresentationMetadata) -> RangeDecision? {
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

    /// Evaluates If-Range (RFC 9110 §13.1.5) with the strong comparison. A date must match exactly and be in the past.
    private func rangeApplies(to representation: RepresentationMetadata, now: Int64) -> Bool {
        guard headers.contains(.ifRange) else { return true }
        guard let field = headers[.ifRange] else { return false }
        let value = String(Substring(field).trimmingBlanks)
        if value.utf8.first == UInt8(ascii: "\"") || value.utf8.starts(with: "W/".utf8) {
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

/// The validators and the size of a selected representation (RFC 9110 §3.2).
package struct RepresentationMetadata: Equatable, Sendable {
    package var tag: EntityTag
    /// The modification time in seconds since 1970, UTC; `nil` if unknown.
    package var modified: Int64?
    /// The size in bytes.
    package var size: Int64

    package init(tag: EntityTag, modified: Int64?, size: Int64) {
        self.tag = tag
        self.modified = modified
        self.size = size
    }
}

/// The outcome of evaluating the preconditions and the range of a request.
package enum RangeDecision: Equatable, Sendable {
    case whole
    case parts([ByteRange])
    case notModified
    case preconditionFailed
    case unsatisfiable
}
