/// Why the server ends a stream. The raw values are sent to clients and used as labels of a metric.
package enum StreamEnd: String, Sendable, CaseIterable {
    /// The server stops; the client should reconnect.
    case shutdown
    /// The client reads too slowly; it should reconnect and continue where it stopped.
    case slow
    /// The token was revoked, or the account may no longer log in.
    case unauthorized
    /// Events could not be read; the client should reconnect and continue where it stopped.
    case unavailable
}
