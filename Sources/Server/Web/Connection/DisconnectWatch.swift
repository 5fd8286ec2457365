/// An outbound event, with which a waiting request asks to be notified when its client disconnects. It replaces an
/// earlier one of the same connection or stream.
struct WatchDisconnect: Sendable {
    let notify: @Sendable () -> Void
}

/// Tells the request that waits on a connection that the client has left. A client that has only finished sending counts
/// as having left, because the two cannot be told apart.
struct DisconnectWatch {
    private var hasLeft = false
    private var notify: (@Sendable () -> Void)?

    mutating func watch(_ event: WatchDisconnect) {
        if hasLeft { event.notify() } else { notify = event.notify }
    }

    mutating func end() {
        hasLeft = true
        notify?()
        notify = nil
    }
}
