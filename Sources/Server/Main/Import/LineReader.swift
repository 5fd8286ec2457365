import FeedCore
import Foundation

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

    /// - Throws: ``FeedError`` `.notFound` if the file cannot be read.
    init(path: String) throws {
        var isFolder: ObjCBool = false
        guard FileManager.default.fileExists(atPath: path, isDirectory: &isFolder), !isFolder.boolValue,
            let handle = FileHandle(forReadingAtPath: path)
        else { throw FeedError(.notFound, "cannot read \(path)", hint: "Check that the path is a readable file.") }
        self.handle = handle
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
