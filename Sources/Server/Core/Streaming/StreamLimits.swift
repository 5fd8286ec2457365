/// The limits of streams.
package struct StreamLimits: Sendable, Equatable {
    /// Open streams of one account. A WebSocket is one stream, however many subscriptions it has.
    package var perAccount = 32
    /// Open streams of one client network.
    package var perAddress = 128
    /// Subscriptions of one WebSocket. Not configurable.
    package static let subscriptions = 64
    /// The rows of the log that a replay reads at most; a position further back counts as too old. Not configurable.
    package static let replayedRows = 20_000

    package init() {}
}
