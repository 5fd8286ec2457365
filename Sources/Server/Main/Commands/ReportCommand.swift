import ArgumentParser
import FeedCore
import FeedStore
import FeedTerminal

/// `feedserver report`.
struct ReportCommand: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "report", abstract: "List and resolve reports of accounts.",
        subcommands: [List.self, Resolve.self])

    struct List: AsyncParsableCommand {
        static let configuration = CommandConfiguration(
            abstract: "List the open reports, newest first.",
            discussion: "Shows who reported whom, why, and the ids of the reported statuses.")

        /// The number of reports read at once.
        private static let batch = 100

        @OptionGroup var data: DataOption
        @Flag(help: "Print one JSON object per line.") var json = false
        @Flag(help: "Include resolved reports.") var all = false

        func run() async throws {
            try await Failure.reported {
                try await data.use { database in
                    let selection = ReportSelection(isResolved: all ? nil : false)
                    var page: [Report] = []
                    repeat {
                        page = try await ReportStore(database).reports(
                            selection, page: Pagination(limit: Self.batch, maxID: page.last?.id), for: nil)
                        for report in page { print(json ? ReportFormatter.json(report) : ReportFormatter.text(report)) }
                    } while page.count == Self.batch
                }
            }
        }
    }

    struct Resolve: AsyncParsableCommand {
        static let configuration = CommandConfiguration(
            abstract: "Mark a report as resolved.",
            discussion: "To act on the account, use feedserver account silence, suspend or remove.")

        @OptionGroup var data: DataOption
        @Argument(help: "The id of the report, as shown by report list.") var id: String

        func run() async throws {
            try await Failure.reported {
                let unknown = FeedError(
                    .notFound, "no such report: \(SafeText.line(id))",
                    hint: "feedserver report list shows all open reports.")
                guard let number = Int64(id) else { throw unknown }
                try await data.use { database in
                    let store = ReportStore(database)
                    guard let report = try await store.report(id: number, for: nil) else { throw unknown }
                    guard report.resolution == nil else {
                        return StandardError.line("report \(number) has already been resolved")
                    }
                    try await store.change(number, .resolve, by: nil)
                    StandardError.line("report \(number) is resolved")
                }
            }
        }
    }
}
