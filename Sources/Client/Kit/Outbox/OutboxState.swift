/// How far a post in the outbox has come. Times are milliseconds since 1970 by the clock of this machine.
public enum OutboxState: Codable, Sendable, Equatable {
    /// No request has been sent, or the server is known not to have processed it.
    case new
    /// A request may have been sent, and its outcome is unknown.
    /// - since: The time of the first attempt.
    /// - mediaIDs: The ids of the uploaded media files, which another attempt attaches again.
    case sending(since: Int64, mediaIDs: [String])
    /// Like `sending`, but nothing more can be found out, so the user has to decide.
    case unclear(since: Int64, mediaIDs: [String])
    /// The server has refused the post; the message is the server's. The post is about to become a draft.
    case refused(message: String)

    /// One word: `new`, `sending`, `unclear` or `refused`.
    public var name: String {
        switch self {
        case .new: "new"
        case .sending: "sending"
        case .unclear: "unclear"
        case .refused: "refused"
        }
    }

    var isRefused: Bool { if case .refused = self { true } else { false } }

    /// Whether there is anything left to do for the post without a decision by the user.
    public func isPending(_ trigger: OutboxTrigger) -> Bool {
        switch self {
        case .new, .sending: true
        case .unclear: trigger != .automatic
        case .refused: trigger == .resend
        }
    }

    /// The time of the first attempt whose outcome is unknown.
    var since: Int64? {
        switch self {
        case .sending(let since, _), .unclear(let since, _): since
        case .new, .refused: nil
        }
    }

    /// The ids of the uploaded media files of an attempt whose outcome is unknown.
    var uploadedMediaIDs: [String] {
        switch self {
        case .sending(_, let ids), .unclear(_, let ids): ids
        case .new, .refused: []
        }
    }
}
