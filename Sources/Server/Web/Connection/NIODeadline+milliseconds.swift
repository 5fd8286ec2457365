import NIOCore

extension NIODeadline {
    /// The monotonic time in milliseconds, for the timers of connections.
    var milliseconds: Int64 { Int64(uptimeNanoseconds / 1_000_000) }
}
