/// The action of a connection in reaction to a response.
enum ResponseAction: Sendable {
    /// Receive the body, which consists of `range`; the first `skip` bytes are not wanted.
    case receive(_ range: Range<Int64>, skip: Int64)
    /// Close the connection without reading the body.
    case stop(FetchOutcome)
}
