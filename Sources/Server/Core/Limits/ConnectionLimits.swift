/// The limits of connections and of the requests on them.
package struct ConnectionLimits: Sendable, Equatable {
    /// Open connections of all clients. The server derives it from the limit on open files.
    package var total = 448
    /// The connections that each client network may always open while there are free ones.
    package var addressMinimum = 16
    /// A client network may open more than ``addressMinimum`` connections, up to the number of free ones divided by
    /// this. The fewer are free, the less each network gets, so several greedy networks together leave some, too.
    package var addressDivisor = 4
    /// The maximum number of refused connections to which a response is being sent, as a fraction of ``total``. Others
    /// are closed without a response.
    package var refusalDivisor = 8
    /// The maximum time in milliseconds for which a refused connection is kept to send the response.
    package var refusalTime: Int64 = 2000
    /// Requests on one connection.
    package var requests = 10_000
    /// The maximum size of a request head and of each of its fields in bytes, and the maximum number of fields.
    package var headBytes = 32 * 1024
    package var fieldBytes = 16 * 1024
    package var fields = 200
    /// From the start of the connection to the end of the TLS handshake, in milliseconds.
    package var handshake: Int64 = 10_000
    /// From the start of the connection to the end of the first request's headers, in milliseconds.
    package var firstHead: Int64 = 20_000
    /// From the end of a response to the end of the next request's headers, in milliseconds.
    package var nextHead: Int64 = 75_000
    /// The interval in milliseconds over which the rate of a request body is measured, and the bytes that must arrive
    /// in it.
    package var bodyWindow: Int64 = 30_000
    package var bodyBytes = 4096
    /// The interval in milliseconds over which the rate of a reader is measured while a response waits for it, and the
    /// bytes that it must take in it.
    package var readWindow: Int64 = 60_000
    package var readBytes = 4096
    /// The maximum time in milliseconds for which, and the number of bytes up to which, the rest of a request body is
    /// drained after the response.
    package var drain: Int64 = 5000
    package var drainBytes = 16 << 20

    package init() {}

    /// The limits, in milliseconds, at which a client that does not run for a while loses its connection.
    package static let timeouts: [any WritableKeyPath<ConnectionLimits, Int64> & Sendable] = [
        \.handshake, \.firstHead, \.nextHead, \.bodyWindow, \.readWindow, \.drain,
    ]

    /// Extends the ``timeouts`` that are shorter than this, in milliseconds.
    package mutating func extend(to minimum: Int64) {
        for limit in Self.timeouts { self[keyPath: limit] = max(self[keyPath: limit], minimum) }
    }

    /// The maximum number of refused connections to which a response is being sent.
    var refusals: Int { max(8, total / max(1, refusalDivisor)) }

    /// The maximum number of connections of one client network while `free` of all are free.
    func perAddress(free: Int) -> Int { max(addressMinimum, free / max(1, addressDivisor)) }
}
