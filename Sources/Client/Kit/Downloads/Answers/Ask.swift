/// What a request asks for.
struct Ask: Sendable, Equatable {
    /// The bytes; open-ended when the upper bound is `Int64.max`. `nil` for no `Range` field at all.
    var span: Range<Int64>?
    /// Whether `If-Range` goes along.
    var isConditional = false
    /// Whether a body that ends with its connection can be judged by other means.
    var mayEndAnywhere = false

    /// The `Range` field.
    var field: String? {
        span.map { "bytes=\($0.lowerBound)-" + ($0.upperBound == .max ? "" : String($0.upperBound - 1)) }
    }
}
