/// Why posts of the outbox are sent.
public enum OutboxTrigger: Sendable {
    /// Another command has contacted the server. Posts that wait for the user are left alone.
    case automatic
    /// The user has asked for everything to be sent. Unclear posts are searched for, but not sent again.
    case flush
    /// The user has asked for this post to be sent, even if it is unclear or was refused.
    case resend
}
