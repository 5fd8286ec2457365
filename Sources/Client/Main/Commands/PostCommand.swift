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
