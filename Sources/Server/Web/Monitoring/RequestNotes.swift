import Synchronization

/// What handlers find out about a request for its line in the access log. The context itself is copied on its way to
/// them.
final class RequestNotes: Sendable {
    private let account = Mutex<String?>(nil)

    /// The account of the token.
    var user: String? {
        get { account.withLock { $0 } }
        set { account.withLock { $0 = newValue } }
    }
}
