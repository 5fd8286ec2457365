/// The current time, injected so that tests can control it.
package struct WallClock: Sendable {
    /// Milliseconds since 1970, UTC.
    package var now: @Sendable () -> Int64

    package init(now: @escaping @Sendable () -> Int64) { self.now = now }
}
