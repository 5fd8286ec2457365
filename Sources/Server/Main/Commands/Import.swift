import ArgumentParser
import FeedCore
import FeedStore
import FeedTerminal
import Foundation

/// `feedserver import`.
struct Import: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        abstract: "Import accounts, follows and statuses from an NDJSON file.",
        discussion: """
            If any line is invalid, nothing is imported. Importing a file again has no further effect. \
            The server may be running.
            """)

    @OptionGroup var data: DataOption
    @Argument(help: "The NDJSON file.") var path: String
    @Flag(help: "Check the file without importing it.") var dryRun = false

    func run() async throws {
        try await Failure.reported {
            let file = try LineReader(path: path)
            let report = try await data.use(creating: true) { database in
                let session = try await ImportSession.begin(in: database)
                do {
                    try await feed(session, from: file)
                    guard dryRun else { return try await session.publish() }
                    try session.checkComplete()
                    return try await session.abandon()
                } catch {
                    _ = try? await session.abandon()
                    throw error
                }
            }
            StandardError.line(Self.text(report, dryRun: dryRun))
        }
    }

    private func feed(_ session: ImportSession, from file: LineReader) async throws {
        let progress = ProgressLine(ProgressBar(label: "importing", total: file.size), screen: .current())
        defer { progress.clear() }
        let decoder = JSONDecoder()
        while let lines = try file.next() {
            var records: [(line: Int, record: ImportRecord)] = []
            for (number, line) in lines where !line.isEmpty {
                do {
                    records.append((number, try ImportRecord(line: line, decoder: decoder)))
                } catch {
                    throw error.atLine(number)
                }
            }
            try await session.add(records)
            progress.show(done: file.position)
        }
    }

    private static func text(_ report: ImportReport, dryRun: Bool) -> String {
        let counts = [
            Plural.text(report.accounts, "account"), Plural.text(report.follows, "follow"),
            Plural.text(report.statuses, "status", "statuses"),
        ].joined(separator: ", ")
        let known = "; skipped " + Plural.text(report.known, "existing record")
        return (dryRun ? "would import " : "imported ") + counts + (report.known > 0 ? known : "")
    }
}
