import FeedCore
import FeedStore
import FeedTerminal
import Foundation

/// Reads an import file into a session, together with the files that its lines name.
struct ImportRun {
    let session: ImportSession
    let file: LineReader
    /// Called when a line names a file.
    let media: () throws -> ImportMedia

    func run() async throws {
        let progress = ProgressLine(ProgressBar(label: "importing", total: file.size), screen: .current())
        defer { progress.clear() }
        let decoder = JSONDecoder()
        var files: ImportMedia?
        var start: Int64 = 0
        while let lines = try file.next() {
            try await session.add(try Self.records(lines, decoder))
            let named = session.takeFiles()
            if !named.isEmpty {
                let media = try files ?? self.media()
                files = media
                // A line takes a moment, a file takes much longer.
                let length = Double(file.position - start)
                try await media.store(named, in: session) { share in
                    progress.show(done: start + Int64(length * share))
                }
            }
            start = file.position
            progress.show(done: start)
        }
    }

    private static func records(
        _ lines: [(number: Int, text: Data)], _ decoder: JSONDecoder
    ) throws -> [(line: Int, record: ImportRecord)] {
        try lines.filter { !$0.text.isEmpty }.map { number, line in
            do throws(FeedError) {
                return (number, try ImportRecord(line: line, decoder: decoder))
            } catch {
                throw error.atLine(number)
            }
        }
    }
}
