import ArgumentParser
import FeedAPI
import FeedClientKit
import FeedTerminal

/// Replies to a status.
struct ReplyCommand: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "reply", abstract: "Reply to a status.",
        discussion: """
            The reply mentions the author and all accounts that the status mentions, has the same content warning \
            unless you choose another with --spoiler, and reaches no more people than the status does unless you \
            choose --visibility. In an editor, the mentions can be removed. For a reply without any of this, use post \
            --reply-to. While the server is away, a reply to a stored status waits in the outbox. TEXT and the options \
            are the same as for post.

              feedclient reply 3 "Well said"
            """)

    @OptionGroup var global: GlobalOptions
    @Argument(help: StatusHelp.text, completion: Completions.status) var id: String
    @Argument(help: .init("The text of the reply.", valueName: "text")) var words: [String] = []
    @OptionGroup var options: PostOptions

    func run() async throws {
        try await ErrorReporter.run {
            try global.login()
            let template = try await template(try await global.status(id))
            try await options.post(words, to: template.inReplyToID, template, global)
        }
    }

    /// A status that the user has just read, or can read without a network, says whom to mention; anything else is
    /// fetched.
    private func template(_ status: ReferencedStatus) async throws -> ReplyDraft {
        var read: TimelineEntry?
        if status.isNumber { read = try? await OfflineTimelines(global.session()).statuses().status(status.id) }
        do {
            guard let read else { return try await global.use { try await $0.replyDraft(for: status.id) } }
            return try global.reply(to: read, by: try await global.profile(GlobalOptions.profileAge))
        } catch let error as FeedClientError {
            let stored = try await global.storedStatus(status.id, insteadOf: error)
            return try global.reply(to: stored, by: try? await global.profile(.cacheOnly))
        }
    }
}

extension GlobalOptions {
    /// The maximum age of the standard visibility.
    static let profileAge = CachePolicy.maximumAge(.seconds(86_400))

    func profile(_ policy: CachePolicy) async throws -> Entity.Profile {
        try await use(policy: policy) { try await $0.profile().profile }
    }

    /// A reply to a stored status.
    /// - Parameter profile: Has the standard visibility.
    func reply(to entry: TimelineEntry, by profile: Entity.Profile?) throws -> ReplyDraft {
        let session = try session()
        return ReplyDraft(
            answering: entry.status, by: session.login?.username ?? "", standard: profile?.source?.privacy,
            host: session.address.authority)
    }
}
