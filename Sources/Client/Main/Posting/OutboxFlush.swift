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
                    "\(OutboxRenderer.purpose(entry.post)) was refused: " + SafeText.line(message))
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

/// A post that is stored in the outbox, and then sent.
struct OutgoingPost {
    let composer: Composer
    let text: PostText
    let post: OutboxPost
    let global: GlobalOptions

    /// The parts that a draft of it contains.
    private var content: OutboxPost { post.content ?? post }

    /// - Parameter progress: Called with the index of a media file and the number of its bytes that have been sent.
    /// - Throws: ``FeedClientError`` with a hint that says where the post is kept.
    func send(progress: @escaping @Sendable (Int, Int64) -> Void = { _, _ in }) async throws -> ActionResult {
        let outbox = GlobalOptions.outbox
        let account = OutboxAccount(try global.login())
        let claim: OutboxClaim
        do {
            claim = try await outbox.add(post, for: account)
        } catch let error as FeedClientError where error.code == .disk {
            StandardError.line("warning: the post is not stored in the outbox: " + SafeText.line("\(error)"))
            return try await sendUnstored(progress)
        } catch {
            throw composer.keepingRefused(text, content, error)
        }
        composer.forget(text, content)
        return try await OutboxSubmission(global: global).send(claim, progress)
    }

    /// Sends a post that is not in the outbox. If its outcome is unknown, only the user can determine it.
    private func sendUnstored(_ progress: @escaping @Sendable (Int, Int64) -> Void) async throws -> ActionResult {
        do {
            return try await composer.sending(text, content) {
                try await global.use { try await $0.send(post, progress: progress) }
            }
        } catch let error as FeedClientError where error.code == .network || error.status == 503 {
            throw error.adding(hint: "The post may be on the server already; look there before you send it again.")
        }
    }
}

/// Sends an entry that this process has just stored in the outbox.
struct OutboxSubmission {
    let global: GlobalOptions

    /// Stores an action such as a reaction or a follow, and then performs it. One that cannot be stored is performed nevertheless.
    func perform(_ post: OutboxPost) async throws -> ActionResult {
        let account = OutboxAccount(try global.login())
        do {
            return try await send(try await GlobalOptions.outbox.add(post, for: account))
        } catch let error as FeedClientError where error.code == .disk {
            StandardError.line("warning: this is not stored in the outbox: " + SafeText.line("\(error)"))
            return try await global.use { try await $0.send(post) }
        }
    }

    /// Sends what was posted earlier first, so that posts appear in the order in which they were written.
    /// - Throws: ``FeedClientError`` with a hint that says where the post is kept.
    func send(
        _ claim: OutboxClaim, _ progress: @escaping @Sendable (Int, Int64) -> Void = { _, _ in }
    ) async throws -> ActionResult {
        let (outbox, account) = (GlobalOptions.outbox, claim.entry.account)
        await OutboxFlush.announce(account, besides: claim.entry.id)
        let result = try await global.use(account) { client -> OutboxResult in
            do {
                return try await outbox.send(claim, with: client, progress: progress, onFailure: Self.warn) {
                    OutboxFlush.report($0)
                }
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

    private static func warn(_ error: FeedClientError) {
        StandardError.line("warning: earlier posts were not sent: " + SafeText.line("\(error)"))
    }

    /// - Returns: The error to report. Its hint says where the post is.
    private func kept(_ entry: OutboxEntry, _ error: (any Error)?) -> any Error {
        let error = error ?? Self.unclear(entry)
        switch entry.state {
        case .refused, .unclear:
            return error.adding(hint: "Post \(entry.id) is in the outbox (\(entry.state.name)).")
        case .new, .sending:
            let thing = entry.post.action == nil ? "The post" : "It"
            return error.adding(
                hint: "\(thing) is kept in the outbox; the next post or timeline sends it, or feedclient outbox flush.")
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
