import ArgumentParser
import FeedAPI
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

        @OptionGroup var data: DataOptions
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
                        for report in page { print(json ? ReportRenderer.json(report) : ReportRenderer.text(report)) }
                    } while page.count == Self.batch
                }
            }
        }
    }

    struct Resolve: AsyncParsableCommand {
        static let configuration = CommandConfiguration(
            abstract: "Mark a report as resolved.",
            discussion: "To act on the account, use feedserver account silence, suspend or remove.")

        @OptionGroup var data: DataOptions
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
                    StandardError.line("resolved report \(number)")
                }
            }
        }
    }
}

/// Formats reports for the command line.
private enum ReportRenderer {
    /// One line with the facts, and one with the comment and the statuses, if there are any.
    static func text(_ report: Report) -> String {
        let state = report.resolution == nil ? "" : ", resolved"
        let facts = """
            \(report.id)  \(ISO8601.text(milliseconds: report.createdAt))  \(report.reporter.username) reports \
            \(report.target.username) (\(report.category.rawValue)\(state))
            """
        let comment = report.comment.isEmpty ? nil : "comment: " + SafeText.line(report.comment)
        let statuses =
            report.statusIDs.isEmpty ? nil : "statuses: " + report.statusIDs.map(String.init).joined(separator: " ")
        return ([facts] + [comment, statuses].compactMap { $0.map { "    " + $0 } }).joined(separator: "\n")
    }

    static func json(_ report: Report) -> String {
        var json = JSONWriter()
        json.object {
            $0.field("id", id: report.id)
            $0.field("created_at", time: report.createdAt)
            $0.field("account", report.reporter.username)
            $0.field("target_account", report.target.username)
            $0.field("category", report.category.rawValue)
            $0.field("comment", report.comment)
            $0.array("status_ids") { for id in report.statusIDs { $0.string(String(id)) } }
            $0.array("rule_ids") { for id in report.ruleIDs { $0.string(String(id)) } }
            $0.field("assigned_account", report.assignee?.username)
            $0.field("resolved_at", time: report.resolution?.at)
            $0.field("resolved_by", report.resolution?.by?.username)
        }
        return String(decoding: json.bytes, as: UTF8.self)
    }
}
