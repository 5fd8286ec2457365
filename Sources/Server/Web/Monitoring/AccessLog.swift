package import FeedCore

/// The access log: one line per request, as text or JSON.
package struct AccessLog: Sendable {
    package enum Format: String, CaseIterable, Sendable { case text, json }

    let clock: WallClock
    private let format: Format
    private let write: @Sendable (String) -> Void

    /// - Parameter write: Writes a line, without its line break.
    package init(format: Format, clock: WallClock, write: @escaping @Sendable (String) -> Void) {
        self.format = format
        self.clock = clock
        self.write = write
    }

    func record(_ entry: AccessLogEntry) { write(format == .text ? entry.text : entry.json) }
}
