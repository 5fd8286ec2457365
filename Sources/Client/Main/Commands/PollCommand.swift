import ArgumentParser
import FeedAPI
import FeedClientKit

/// Votes in polls, as `toot polls vote` does.
struct PollCommand: ParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "poll", abstract: "Vote in polls.",
        discussion: """
              feedclient poll vote 3 1
            """, subcommands: [Vote.self])

    /// Votes in the poll of a status, and shows the result.
    struct Vote: AsyncParsableCommand {
        static let configuration = CommandConfiguration(
            commandName: "vote", abstract: "Vote in the poll of a status.",
            discussion: """
                N is the number of an option, counted from 1, as feedclient show prints it. A vote cannot be taken back. \
                While the server is away, it waits in the outbox.
                """)

        @OptionGroup var global: GlobalOptions
        @Argument(help: StatusHelp.text, completion: Completions.status) var id: String
        @Argument(help: .init("The number of an option to choose, from 1.", valueName: "n")) var numbers: [Int]
        @Flag(name: .customLong("json"), help: "Print the Poll entity as JSON.") var printsJSON = false

        func validate() throws {
            guard numbers.allSatisfy({ (1...100).contains($0) }) else {
                throw ValidationError("The options of a poll have numbers from 1.")
            }
        }

        func run() async throws {
            try await ErrorReporter.run {
                try global.login()
                let id = try await global.statusID(id)
                let post = OutboxPost(.vote(numbers.map { $0 - 1 }, inPollOf: id))
                let sent = try await OutboxSubmission(global: global).perform(post)
                if printsJSON { return print(ActionResultRenderer.json(sent)) }
                guard case .voted(let poll, _) = sent else { return }
                for line in PollRenderer.forScreen().lines(poll) { print(line) }
            }
        }
    }
}
