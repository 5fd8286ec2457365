/// The part of a file that a request asks for.
struct RangeRequest: Sendable, Equatable {
    /// The requested bytes, open-ended if the upper bound is `Int64.max`; `nil` to omit the `Range` field.
    var range: Range<Int64>?
    /// Whether the request carries `If-Range`.
    var isConditional = false
    /// Whether a body that is delimited by the end of its connection is acceptable, because a checksum verifies it.
    var acceptsCloseDelimited = false

    /// The value of the `Range` field.
    var rangeField: String? {
        range.map { "bytes=\($0.lowerBound)-" + ($0.upperBound == .max ? "" : String($0.upperBound - 1)) }
    }
}
