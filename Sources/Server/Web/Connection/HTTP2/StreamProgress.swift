/// The bytes of a response that the client of a stream of HTTP/2 has taken. Pure.
///
/// A write counts when its last byte has reached the kernel. While bytes wait for the socket, this may take long for a
/// slow reader, so what the client acknowledges on the connection counts, too.
struct StreamProgress {
    private var taken: Int64 = 0
    /// Bytes written since the latest measurement.
    private var written: Int64 = 0
    /// The bytes that the client had acknowledged on the connection at the latest measurement.
    private var acknowledged: Int64?

    mutating func wrote(_ bytes: Int) { written += Int64(bytes) }

    /// - Parameter acknowledged: The bytes that the client has acknowledged on the connection; `nil` if unknown, or if
    ///   nothing waits for the socket, so that only the windows of HTTP/2 can hold back the response.
    /// - Returns: A number that grows with each byte that the client takes.
    mutating func measure(acknowledged now: Int64?) -> Int64 {
        let recent = if let now, let acknowledged { now - acknowledged } else { Int64(0) }
        taken += max(written, recent)
        (written, acknowledged) = (0, now)
        return taken
    }
}
