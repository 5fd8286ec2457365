import ArgumentParser
import FeedAPI
import FeedClientKit
import FeedTerminal

/// Posts a status.
struct PostCommand: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "post", abstract: "Post a status.",
        discussion: """
            Several words form one text. With -, or without TEXT in a pipe, the text is read from standard input; \
            without TEXT on a terminal, it is written in the editor named by VISUAL or EDITOR, in editor or vi, or at a \
            prompt.

            A status with media needs no text. The first --alt describes the first --media, and so on; --alt "" leaves \
            one out. Each --poll is an option of a poll. TIME is local time such as 2026-12-24T18:00, or the time from \
            now such as +2h or +1d12h.

            A post that does not reach the server waits in the outbox; its media files must stay where they are. The \
            next post or timeline sends it, or feedclient outbox flush; until then, the same command, repeated within an \
            hour, means the same post. A post that the server refuses becomes a draft with its media; see feedclient drafts.

              feedclient post Hello everyone
              feedclient post "Look" --media boat.jpg --alt "A red boat"
              echo "From a pipe" | feedclient post -
              feedclient post "Happy new year" --schedule 2027-01-01T00:00
            """)

    @OptionGroup var global: GlobalOptions
    @Argument(help: .init("The text of the status.", valueName: "text")) var words: [String] = []
    @Option(help: .init("The status to reply to.", valueName: "ref"), completion: Completions.status) var replyTo:
        String?
    @OptionGroup var options: PostOptions

    func run() async throws {
        try await ErrorReporter.run {
            try global.login()
            var target: String?
            if let replyTo { target = try await global.statusID(replyTo) }
            try await options.post(words, to: target, nil, global)
        }
    }
}

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

    /// What the user has just read, or can read without a network, says whom to mention; anything else is fetched.
    private func template(_ status: ReferencedStatus) async throws -> ReplyTemplate {
        var read: TimelineEntry?
        if status.isNumber { read = try? await OfflineTimelines(global.session()).statuses().status(status.id) }
        do {
            guard let read else { return try await global.use { try await $0.replyTemplate(for: status.id) } }
            return try global.reply(to: read, by: try await global.profile(GlobalOptions.profileAge))
        } catch let error as FeedClientError {
            let stored = try await global.storedStatus(status.id, insteadOf: error)
            return try global.reply(to: stored, by: try? await global.profile(.cacheOnly))
        }
    }
}

extension GlobalOptions {
    /// How old the standard visibility may be.
    static let profileAge = CachePolicy.maximumAge(.seconds(86_400))

    func profile(_ policy: CachePolicy) async throws -> Entity.Profile {
        try await use(policy: policy) { try await $0.profile().profile }
    }

    /// A reply to a stored status.
    /// - Parameter profile: Has the standard visibility.
    func reply(to entry: TimelineEntry, by profile: Entity.Profile?) throws -> ReplyTemplate {
        let session = try session()
        return ReplyTemplate(
            answering: entry.status, by: session.login?.username ?? "", standard: profile?.source?.privacy,
            host: session.address.authority)
    }
}

/// Edits a status of the account.
struct EditCommand: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "edit", abstract: "Edit one of your statuses.",
        discussion: """
            TEXT replaces the text of the status; without it, an editor or a prompt shows the present one, as for post. \
            Media, poll, visibility and, without --spoiler, the content warning stay as they are. If the status is named \
            by its number in a listing, its text is shown first, and you are asked. While the server is away, the edit \
            waits in the outbox if TEXT is given and the status is stored.

              feedclient edit 3 "The corrected text"
            """)

    @OptionGroup var global: GlobalOptions
    @Argument(help: StatusHelp.text, completion: Completions.status) var id: String
    @Argument(help: .init("The new text.", valueName: "text")) var words: [String] = []
    @Option(help: "Another content warning; \"\" for none.") var spoiler: String?
    @Flag(help: "Print the Status entity as JSON.") var json = false

    func run() async throws {
        try await ErrorReporter.run {
            try global.login()
            let status = try await global.status(id)
            try await StatusConfirmation.ask("Edit this status?", status, global)
            try await Self.edit(status.id, words, spoiler, json, global)
        }
    }

    /// - Parameters:
    ///   - spoiler: Another content warning; empty for none, `nil` for the current one.
    ///   - chosen: The draft of the new text; `nil` for another text.
    static func edit(
        _ id: String, _ words: [String], _ spoiler: String?, _ json: Bool, draft chosen: KeptDraft? = nil,
        _ global: GlobalOptions
    ) async throws {
        let original = try await original(id, hasText: !words.isEmpty, global)
        let composer = try Composer(global, editing: id, draft: chosen)
        // With only `--spoiler`, the text stays as it is.
        let text =
            words.isEmpty && spoiler != nil && chosen == nil
            ? StatusText(text: original.text, origin: .given) : try composer.text(words, opening: original.text)
        var draft = original
        draft.text = text.text
        try Composer.check(draft.text, hasMedia: !draft.mediaIDs.isEmpty)
        draft.spoilerText = spoiler ?? text.draft?.post.draft.spoilerText ?? original.spoilerText
        // A warning hides the media with the text, so they are shown again without it.
        if spoiler?.isEmpty == true, original.spoilerText != nil { draft.isSensitive = nil }
        let post = OutboxPost(.edit(id: id), draft: draft)
        let sent = try await OutgoingPost(composer: composer, text: text, post: post, global: global).send()
        print(json ? SchedulingResultRenderer.json(sent) : SchedulingResultRenderer.text(sent))
    }

    /// The present content. Without a network, what is stored is enough for an edit that replaces the text.
    private static func original(_ id: String, hasText: Bool, _ global: GlobalOptions) async throws -> Draft {
        do { return try await global.use { try await $0.draft(editing: id) } } catch let error as FeedClientError
            where hasText
        {
            return try Draft(editing: try await global.storedStatus(id, insteadOf: error).status)
        }
    }
}
