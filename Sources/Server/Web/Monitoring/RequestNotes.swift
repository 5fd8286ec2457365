import Synchronization

/// Facts that handlers add to a request's line in the access log, and keep for the requests after it. The context itself
/// is copied on its way to them.
final class RequestNotes: Sendable {
    private let account = Mutex<String?>(nil)
    private let reusable = Mutex<ReusableContent?>(nil)

    /// The account of the token.
    var user: String? {
        get { account.withLock { $0 } }
        set { account.withLock { $0 = newValue } }
    }

    /// The content of the response, if other requests may share it.
    var content: ReusableContent? {
        get { reusable.withLock { $0 } }
        set { reusable.withLock { $0 = newValue } }
    }
}
