import FeedClientKit
import FeedTerminal

/// Sends what waits in the outbox.
enum OutboxFlush {
    /// Sends the posts of the current login with a command that has contacted the server. Failures are not failures
    /// of that command.
    static func automatic(_ global: GlobalOptions) async {
        guard let login = try? global.session().login, !login.isClassic else { return }
        let account = OutboxAccount(login)
        guard await announce(account) else { return }
        try? await global.use { client in
            _ = try await GlobalOptions.outbox.flush(account, with: client) { report($0) }
        }
    }

    /// Announces that posts are about to be sent, because the user has to wait for the server.
    /// - Parameter id: The post that the command is about.
    /// - Returns: Whether there are such posts.
    @discardableResult static func announce(_ account: OutboxAccount, besides id: String? = nil) async -> Bool {
        let count = await waiting(account, besides: id)
        guard count > 0 else { return false }
        StandardError.line("sending \(Plural.text(count, "entry", "entries")) from the outbox")
        return true
    }

    /// Says what waits in the outbox of the current login when a program ends.
    static func reportWaiting(_ global: GlobalOptions) async {
        guard let login = try? global.login() else { return }
        let count = await waiting(OutboxAccount(login))
        guard count > 0 else { return }
        let verbs = count == 1 ? ("waits", "it") : ("wait", "them")
        StandardError.line(
            "\(Plural.text(count, "entry", "entries")) \(verbs.0) in the outbox; feedclient outbox flush sends \(verbs.1)"
        )
    }

    /// The number of entries of an account that are sent the next time.
    private static func waiting(_ account: OutboxAccount, besides id: String? = nil) async -> Int {
        let entries = (try? await GlobalOptions.outbox.entries()) ?? []
        return entries.count { $0.account == account && $0.id != id && $0.state.isPending(.automatic) }
    }

    /// Reports the result for a post other than the one that the command is about.
    static func report(_ result: OutboxResult) {
        switch result {
        case .delivered(let entry, let sent):
            StandardError.line(
                "sent from the outbox: \(entry.id) " + ActionResultRenderer.text(sent, entry.post.action))
        case .refused(let entry, let error):
            let message = (refusal(entry, error) as? FeedClientError)?.message ?? "refused"
            guard entry.post.content != nil else {
                return StandardError.line(
                    "\(StoredPostRenderer.purpose(entry.post)) was refused: " + SafeText.line(message))
            }
            StandardError.line("post \(entry.id) is a draft now: " + SafeText.line(message))
            StandardError.line("hint: feedclient drafts edit \(entry.id) edits it")
        case .kept(let entry, let error): reportWaiting(entry, error)
        }
    }

    /// The error for a refused post, which says that it is a draft if it has a text.
    static func refusal(_ entry: OutboxEntry, _ error: (any Error)?) -> any Error {
        let reason = if case .refused(let message) = entry.state { message } else { "The server has refused the post" }
        let refusal = error ?? FeedClientError(.failed, reason)
        return entry.post.content != nil ? refusal.savedAsDraft(entry.id) : refusal
    }

    /// Posts that are sent the next time need no attention.
    private static func reportWaiting(_ entry: OutboxEntry, _ error: (any Error)?) {
        switch entry.state {
        case .refused, .unclear:
            let reason = (error as? FeedClientError).map { ": " + SafeText.line($0.message) } ?? ""
            StandardError.line("post \(entry.id) is in the outbox (\(entry.state.name))\(reason)")
        case .new, .sending: break
        }
    }
}
