import ArgumentParser
import FeedClientKit

/// Replies to a status.
struct ReplyCommand: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "reply", abstract: "Reply to a status.",
        discussion: """
            The reply mentions the author and all accounts that the status mentions, has the same content warning \
            unless you choose another with --spoiler, and reaches no more people than the status does unless you \
            choose --visibility. In an editor, the mentions can be removed. For a reply without any of this, use post \
            --reply-to, which can also wait in the outbox while the server is away. TEXT and the options are the same \
            as for post.

              feedclient reply 112233445566778899 "Well said"
            """)

    @OptionGroup var global: GlobalOptions
    @Argument(help: "The id or URL of the status.") var id: String
    @Argument(help: .init("The text of the reply.", valueName: "text")) var words: [String] = []
    @OptionGroup var options: PostOptions

    func run() async throws {
        try await ErrorReporter.run {
            try global.login()
            let id = try global.statusID(id)
            let template = try await global.use { try await $0.replyTemplate(for: id) }
            try await options.post(words, to: template.inReplyToID, template, global)
        }
    }
}
