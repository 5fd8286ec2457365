import Foundation

/// The file of an entry: a line with its content, and a line for each state that followed. A line that was cut off by a
/// crash, and everything after it, does not count.
struct OutboxFileFormat: Equatable {
    /// Larger files are not read, in bytes. A text is at most 1 MiB.
    static let maximumSize = 8 << 20
    private static let version = 1
    /// Versions before this one would post the text of an edit as a new status.
    private static let versionOfActions = 2
    private static let lineFeed = UInt8(ascii: "\n")

    private struct Content: Codable {
        var version: Int
        var server: String
        var username: String
        var post: OutboxPost
        var idempotencyKey: String
        var createdAt: Int64
        var fileVersions: [FileVersion?]?
    }

    var entry: OutboxEntry
    /// The length of the valid lines in bytes.
    var length: Int

    /// - Returns: `nil` if the first line is damaged, or was written by another version.
    init?(id: String, _ data: Data) {
        var lines = Self.lines(data)[...]
        guard let first = lines.popFirst(), let content = try? JSONDecoder().decode(Content.self, from: first),
            content.version == Self.version(of: content.post),
            [content.createdAt, content.post.scheduledAt ?? 0].allSatisfy(Milliseconds.valid.contains)
        else { return nil }
        entry = OutboxEntry(
            id: id, account: OutboxAccount(server: content.server, username: content.username), post: content.post,
            idempotencyKey: content.idempotencyKey, createdAt: content.createdAt,
            fileVersions: content.fileVersions, state: .new)
        length = first.count + 1
        for line in lines {
            guard let state = try? JSONDecoder().decode(OutboxState.self, from: line),
                Milliseconds.valid.contains(state.since ?? 0)
            else { return }
            entry.state = state
            length += line.count + 1
        }
    }

    private static func version(of post: OutboxPost) -> Int { post.action == nil ? version : versionOfActions }

    /// The line for the content of a new entry.
    static func line(_ entry: OutboxEntry) throws(FeedClientError) -> Data {
        try encoded(
            Content(
                version: version(of: entry.post), server: entry.account.server, username: entry.account.username,
                post: entry.post,
                idempotencyKey: entry.idempotencyKey, createdAt: entry.createdAt, fileVersions: entry.fileVersions))
    }

    /// The line for a state.
    static func line(_ state: OutboxState) throws(FeedClientError) -> Data { try encoded(state) }

    private static func encoded(_ value: some Encodable) throws(FeedClientError) -> Data {
        let encoder = JSONEncoder()
        encoder.outputFormatting = [.sortedKeys, .withoutEscapingSlashes]
        guard let data = try? encoder.encode(value) else {
            throw FeedClientError(.failed, "The post cannot be encoded")
        }
        return data + [lineFeed]
    }

    /// The lines that end with a line feed.
    private static func lines(_ data: Data) -> [Data] {
        var (lines, rest) = ([Data](), data)
        while let end = rest.firstIndex(of: lineFeed) {
            lines.append(rest[rest.startIndex..<end])
            rest = rest[rest.index(after: end)...]
        }
        return lines
    }
}

/// Identifies a version of a file, so that a file that later replaces it at the same path can be told apart.
struct FileVersion: Codable, Sendable, Equatable {
    /// In bytes.
    let size: Int64
    /// The time of the last modification since 1970, in seconds and nanoseconds.
    let seconds: Int64
    let nanoseconds: Int64

    /// - Returns: `nil` if there is no such file.
    init?(of path: String) {
        var status = stat()
        guard stat(path, &status) == 0 else { return nil }
        self.init(status)
    }

    init(_ status: stat) {
        size = Int64(status.st_size)
        #if canImport(Darwin)
            let time = status.st_mtimespec
        #else
            let time = status.st_mtim
        #endif
        (seconds, nanoseconds) = (Int64(time.tv_sec), Int64(time.tv_nsec))
    }
}
