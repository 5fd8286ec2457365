import Synchronization

/// Facts that handlers add to a request's line in the access log. The context itself is copied on its way to them.
final class RequestNotes: Sendable {
    private let account = Mutex<String?>(nil)

    /// The account of the token.
    var user: String? {
        get { account.withLock { $0 } }
        set { account.withLock { $0 = newValue } }
    }
}
