import FeedClientKit
import FeedTerminal

/// A post that is stored in the outbox, and then sent.
struct OutgoingPost {
    let composer: Composer
    let text: StatusText
    let post: OutboxPost
    let global: GlobalOptions

    /// - Parameter progress: Called with the index of a media file and the number of its bytes that have been sent.
    /// - Throws: ``FeedClientError`` with a hint that says where the post is kept.
    func send(progress: @escaping @Sendable (Int, Int64) -> Void) async throws -> SchedulingResult {
        let outbox = GlobalOptions.outbox
        let account = OutboxAccount(try global.login())
        let claim: OutboxClaim
        do {
            claim = try await outbox.add(post, for: account)
        } catch let error as FeedClientError where error.code == .disk {
            StandardError.line("warning: the post is not stored in the outbox: " + SafeText.line("\(error)"))
            return try await sendUnstored(progress)
        } catch {
            throw composer.keepingRefused(text, post, error)
        }
        composer.forget(text, post)
        return try await send(claim, outbox, account, progress)
    }

    /// Sends a post that is not in the outbox. If its outcome is unknown, only the user can determine it.
    private func sendUnstored(_ progress: @escaping @Sendable (Int, Int64) -> Void) async throws -> SchedulingResult {
        do {
            return try await composer.sending(text, post) {
                try await global.use { try await $0.send(post, progress: progress) }
            }
        } catch let error as FeedClientError where error.code == .network || error.status == 503 {
            throw error.adding(hint: "The post may be on the server already; look there before you send it again.")
        }
    }

    /// Sends what was posted earlier first, so that posts appear in the order in which they were written.
    private func send(
        _ claim: OutboxClaim, _ outbox: Outbox, _ account: OutboxAccount,
        _ progress: @escaping @Sendable (Int, Int64) -> Void
    ) async throws -> SchedulingResult {
        await OutboxFlush.announce(account, besides: claim.entry.id)
        let result = try await global.use { client -> OutboxResult in
            if let error = try await sendEarlierPosts(outbox, account, client) { return .kept(claim.entry, error) }
            do {
                return try await claim.send(with: client, progress: progress)
            } catch let error as FeedClientError {
                return .kept(claim.entry, error)
            }
        }
        switch result {
        case .delivered(_, let sent): return sent
        case .refused(let entry, let error): throw OutboxFlush.refusal(entry, error)
        case .kept(let entry, let error): throw kept(entry, error)
        }
    }

    /// - Returns: The error after which it is pointless to send another post.
    private func sendEarlierPosts(
        _ outbox: Outbox, _ account: OutboxAccount, _ client: FeedClient
    ) async throws -> FeedClientError? {
        do {
            return try await outbox.flush(account, with: client) { OutboxFlush.report($0) }
        } catch let error as FeedClientError {
            // This post is stored already, so it need not wait for a file that cannot be opened.
            StandardError.line("warning: earlier posts were not sent: " + SafeText.line("\(error)"))
            return nil
        }
    }

    /// - Returns: The error to report. Its hint says where the post is.
    private func kept(_ entry: OutboxEntry, _ error: (any Error)?) -> any Error {
        let error = error ?? Self.unclear(entry)
        switch entry.state {
        case .refused, .unclear:
            return error.adding(hint: "Post \(entry.id) is in the outbox (\(entry.state.name)).")
        case .new, .sending:
            return error.adding(
                hint: "The post is kept in the outbox; the next post or timeline sends it, or feedclient outbox flush.")
        }
    }

    /// The error for an earlier attempt whose outcome remains unknown.
    static func unclear(_ entry: OutboxEntry) -> FeedClientError {
        FeedClientError(
            .failed, "The post \(entry.id) may be on the server already, but was not found there",
            hint:
                "Send it with feedclient outbox flush \(entry.id), or remove it with feedclient outbox drop \(entry.id)."
        )
    }
}

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
        let entries = (try? await GlobalOptions.outbox.entries()) ?? []
        let count = entries.count { $0.account == account && $0.id != id && $0.state.isPending(.automatic) }
        guard count > 0 else { return false }
        StandardError.line("sending \(Plural.text(count, "post")) from the outbox")
        return true
    }

    /// Reports the result for a post other than the one that the command is about.
    static func report(_ result: OutboxResult) {
        switch result {
        case .delivered(let entry, let sent):
            StandardError.line("sent from the outbox: \(entry.id) " + SchedulingResultLine.text(sent))
        case .refused(let entry, let error):
            let message = (refusal(entry, error) as? FeedClientError)?.message ?? "refused"
            StandardError.line("post \(entry.id) is a draft now: " + SafeText.line(message))
            StandardError.line("hint: feedclient drafts edit \(entry.id) edits it")
        case .kept(let entry, let error): reportWaiting(entry, error)
        }
    }

    /// The error for a refused post, which says that it is a draft.
    static func refusal(_ entry: OutboxEntry, _ error: (any Error)?) -> any Error {
        let reason = if case .refused(let message) = entry.state { message } else { "The server has refused the post" }
        return (error ?? FeedClientError(.failed, reason)).savedAsDraft(entry.id)
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
