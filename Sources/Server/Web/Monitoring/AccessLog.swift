package import FeedCore

/// The access log: one line per request, as text or JSON.
package struct AccessLog: Sendable {
    package enum Format: String, CaseIterable, Sendable { case text, json }

    let clock: WallClock
    private let format: Format
    private let write: @Sendable (AccessLogEntry, Format) -> Void

    /// - Parameter write: Takes an entry, which is better formatted later than on the event loop.
    package init(format: Format, clock: WallClock, write: @escaping @Sendable (AccessLogEntry, Format) -> Void) {
        self.format = format
        self.clock = clock
        self.write = write
    }

    func record(_ entry: AccessLogEntry) { write(entry.bounded, format) }
}
