import FeedCore
import FeedStore
import FeedTerminal
import Foundation

/// Reads an import file into a session, together with the files that its lines name.
struct ImportReader {
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

/// Reads a text file line by line with bounded memory.
final class LineReader {
    private static let chunk = 1 << 20
    private static let maximumLine = 1 << 20

    /// The size of the file in bytes.
    let size: Int64
    /// The number of bytes read so far.
    private(set) var position: Int64 = 0
    private let handle: FileHandle
    private var rest = Data()
    private var isAtEnd = false
    /// The number of lines returned so far.
    private var count = 0

    /// - Throws: ``FeedError`` `.notFound` if the file cannot be read, `.unsupported` for another format.
    init(path: String) throws {
        try ImportFormat.refuseFolder(path)
        guard let handle = FileHandle(forReadingAtPath: path) else {
            throw FeedError(.notFound, "cannot read \(path)", hint: "Check that the path is a readable file.")
        }
        self.handle = handle
        // Not read again, because a pipe cannot go back.
        rest = try handle.read(upToCount: ImportFormat.headBytes) ?? Data()
        try ImportFormat.refuseOthers(rest, path: path)
        position = Int64(rest.count)
        size = (try? FileManager.default.attributesOfItem(atPath: path)[.size] as? Int64) ?? 0
    }

    /// The next lines without line breaks, numbered from 1; `nil` at the end of the file.
    /// - Throws: ``FeedError`` `.malformed` if a line is longer than 1 MiB.
    func next() throws -> [(number: Int, text: Data)]? {
        guard !isAtEnd else { return nil }
        let chunk = try handle.read(upToCount: Self.chunk) ?? Data()
        position += Int64(chunk.count)
        isAtEnd = chunk.isEmpty
        rest.append(chunk)
        var lines = rest.split(separator: 10, omittingEmptySubsequences: false)
        if let long = lines.firstIndex(where: { $0.count > Self.maximumLine }) {
            throw FeedError.malformed("is longer than 1 MiB").atLine(count + long + 1)
        }
        rest = isAtEnd ? Data() : Data(lines.removeLast())
        defer { count += lines.count }
        return lines.enumerated().map { (count + $0.offset + 1, Self.withoutReturn($0.element)) }
    }

    private static func withoutReturn(_ line: Data) -> Data { line.last == 13 ? line.dropLast() : line }
}

/// Recognizes what people try to import although it is no NDJSON. The message would otherwise be about its first line.
enum ImportFormat {
    /// The number of bytes at the beginning of a file that are examined.
    static let headBytes = 4096

    private static let hint = "import reads NDJSON, one JSON object per line: see Importing in Docs/operating.md."

    /// - Throws: ``FeedError`` `.unsupported` for a folder.
    static func refuseFolder(_ path: String) throws(FeedError) {
        var isFolder: ObjCBool = false
        guard FileManager.default.fileExists(atPath: path, isDirectory: &isFolder), isFolder.boolValue else { return }
        let isArchive = FileManager.default.fileExists(atPath: path + "/outbox.json")
        throw FeedError(.unsupported, "\(path) is a folder" + (isArchive ? " with a Mastodon archive" : ""), hint: hint)
    }

    /// - Parameter head: The first ``headBytes`` of the file.
    /// - Throws: ``FeedError`` `.unsupported` for a format that people keep posts in.
    static func refuseOthers(_ head: Data, path: String) throws(FeedError) {
        guard let name = name(head) else { return }
        throw FeedError(.unsupported, "\(path) looks like \(name)", hint: hint)
    }

    private static func name(_ head: Data) -> String? {
        func contains(_ text: String) -> Bool { head.range(of: Data(text.utf8)) != nil }
        if head.starts(with: [0x1F, 0x8B]) || head.starts(with: "PK\u{3}\u{4}".utf8) { return "an archive" }
        if head.starts(with: "<".utf8) || head.starts(with: "\u{FEFF}<".utf8) { return "Atom, RSS or HTML" }
        // The text of a status may contain anything.
        guard !contains("\"kind\"") else { return nil }
        if contains("jsonfeed.org/version/") { return "a JSON Feed" }
        return contains("www.w3.org/ns/activitystreams") ? "a part of a Mastodon archive" : nil
    }
}
