import FeedAPI
package import FeedCore

/// The access log: one line per request, as text or JSON.
package struct AccessLog: Sendable {
    package enum Format: String, CaseIterable, Sendable { case text, json }

    let clock: WallClock
    private let format: Format
    private let write: @Sendable (LogLine) -> Void

    /// - Parameter write: Takes a line, which is better formatted later than on the event loop.
    package init(format: Format, clock: WallClock, write: @escaping @Sendable (LogLine) -> Void) {
        self.format = format
        self.clock = clock
        self.write = write
    }

    func record(_ entry: AccessLogEntry) { write(.request(entry.bounded, format)) }
}

/// A line of the access log.
///
/// It hides secrets, such as the passwords in the queries of the classic dialect (``LoggedQuery``), and no value can
/// imitate another field or line (``LogEscaping``).
package struct AccessLogEntry: Sendable, Equatable {
    /// The maximum lengths in bytes.
    private static let pathLimit = 1024
    private static let queryLimit = 1024
    private static let agentLimit = 256
    private static let otherLimit = 64
    /// The beginnings of paths whose rest is secret.
    private static let secretPaths = ["join/", "reset/", "uploads/", "settings/invitations/", "admin/invitations/"]

    /// The time at which the response was known, in milliseconds since 1970.
    var time: Int64
    var id: String
    var method: String
    /// The path without the query, as the client sent it.
    var path: String
    /// The query as the client sent it, with its secrets; `nil` if there is none.
    var query: String?
    var status: Int
    /// The length of the body in bytes; `nil` if it is not known in advance.
    var bytes: Int?
    /// The time until the response was known, in microseconds.
    var microseconds: Int64
    var address: String
    /// The account of the token.
    var user: String?
    var agent: String?

    /// The entry without what would be cut from its line, because it is kept in memory until it is written.
    var bounded: AccessLogEntry {
        guard
            method.utf8.count > Self.otherLimit || path.utf8.count > Self.pathLimit
                || query.map({ $0.utf8.count > Self.queryLimit }) ?? false
                || agent.map({ $0.utf8.count > Self.agentLimit }) ?? false
        else { return self }
        var entry = self
        entry.method = LogEscaping.bounded(method, Self.otherLimit)
        entry.path = LogEscaping.bounded(path, Self.pathLimit)
        entry.query = query.map { LogEscaping.bounded($0, Self.queryLimit) }
        entry.agent = agent.map { LogEscaping.bounded($0, Self.agentLimit) }
        return entry
    }

    /// The approximate memory in bytes.
    var cost: Int {
        let texts = id.utf8.count + method.utf8.count + path.utf8.count + address.utf8.count
        let others = (query?.utf8.count ?? 0) + (user?.utf8.count ?? 0) + (agent?.utf8.count ?? 0)
        return MemoryLayout<Self>.stride + texts + others
    }

    /// Appends the line in UTF-8, without a line break.
    /// - Parameter times: Formats the time.
    func append(to line: inout [UInt8], as format: AccessLog.Format, times: inout LogTimes) {
        switch format {
        case .text: appendText(to: &line, times: &times)
        case .json: appendJSON(to: &line)
        }
    }

    private func appendText(to line: inout [UInt8], times: inout LogTimes) {
        times.append(time, to: &line)
        line.append(" info request method=")
        LogEscaping.append(method, limit: Self.otherLimit, to: &line)
        line.append(" path=")
        LogEscaping.append(Self.shown(path), limit: Self.pathLimit, to: &line)
        if let shownQuery {
            line.append(" query=")
            LogEscaping.append(shownQuery, to: &line)
        }
        line.append(" status=")
        line.append(contentsOf: String(status).utf8)
        line.append(" bytes=")
        if let bytes { line.append(contentsOf: String(bytes).utf8) } else { line.append("-") }
        line.append(" ms=")
        line.append(thousandths: microseconds)
        line.append(" from=")
        LogEscaping.append(address, limit: Self.otherLimit, to: &line)
        line.append(" user=")
        Self.append(user, limit: Self.otherLimit, to: &line)
        line.append(" id=")
        LogEscaping.append(id, limit: Self.otherLimit, to: &line)
        line.append(" agent=")
        Self.append(agent, limit: Self.agentLimit, to: &line)
    }

    private func appendJSON(to line: inout [UInt8]) {
        var json = JSONWriter(capacity: 512)
        json.object {
            $0.field("time", ISO8601.text(milliseconds: time))
            $0.field("level", "info")
            $0.field("message", "request")
            $0.object("data") {
                $0.field("method", LogEscaping.json(method, limit: Self.otherLimit))
                $0.field("path", LogEscaping.json(Self.shown(path), limit: Self.pathLimit))
                $0.field("query", shownQuery.map { LogEscaping.json($0) })
                $0.field("status", status)
                $0.key("bytes")
                if let bytes { $0.int(bytes) } else { $0.null() }
                $0.key("ms")
                $0.decimal(thousandths: microseconds)
                $0.field("from", LogEscaping.json(address, limit: Self.otherLimit))
                $0.field("user", user.map { LogEscaping.json($0, limit: Self.otherLimit) })
                $0.field("id", LogEscaping.json(id, limit: Self.otherLimit))
                $0.field("agent", agent.map { LogEscaping.json($0, limit: Self.agentLimit) })
            }
        }
        line.append(contentsOf: json.bytes)
    }

    private static func append(_ value: String?, limit: Int, to line: inout [UInt8]) {
        if let value { LogEscaping.append(value, limit: limit, to: &line) } else { line.append("-") }
    }

    /// The query without secrets. It is cut before they are hidden: the name of one always precedes it.
    private var shownQuery: String? { query.map { LoggedQuery.text(LogEscaping.bounded($0, Self.queryLimit)) } }

    /// The path without secrets: the codes of invitations and of new passwords, and the ids of uploads.
    private static func shown(_ path: String) -> String {
        let rest = path.utf8.drop { $0 == UInt8(ascii: "/") }
        guard let secret = secretPaths.first(where: { rest.starts(with: $0.utf8) }),
            rest.count > secret.utf8.count
        else { return path }
        return "/\(secret)***"
    }
}

/// The query of a request as the access log shows it: without the values of parameters that grant access.
enum LoggedQuery {
    /// Words that the names of such parameters contain.
    private static let secrets = ["token", "password", "passwd", "secret", "code", "signature"].map { Array($0.utf8) }
    /// Names of which others are a part.
    private static let names = ["auth", "authorization", "pass", "pwd", "sig"].map { Array($0.utf8) }

    /// The query with `***` in place of such values. A value that contains an address with one is hidden, too.
    static func text(_ query: String) -> String {
        let parts = query.utf8.split(separator: UInt8(ascii: "&"), omittingEmptySubsequences: false)
        guard parts.contains(where: isSecret) else { return query }
        return String(decoding: Array(parts.map(shown).joined(separator: "&".utf8)), as: UTF8.self)
    }

    private static func shown(_ part: Substring.UTF8View) -> [UInt8] {
        guard isSecret(part) else { return Array(part) }
        return part.prefix { $0 != UInt8(ascii: "=") } + Array("=***".utf8)
    }

    private static func isSecret(_ part: Substring.UTF8View) -> Bool {
        plain(part).split { "&;?#".utf8.contains($0) }.contains { assignment in
            guard let end = assignment.firstIndex(of: UInt8(ascii: "=")) else { return false }
            let name = assignment[..<end]
            return names.contains { name.elementsEqual($0) } || secrets.contains { contains(name, $0) }
        }
    }

    /// Not `contains(_:)` of the standard library, which took longer than the rest of a request.
    private static func contains(_ name: ArraySlice<UInt8>, _ word: [UInt8]) -> Bool {
        guard name.count >= word.count else { return false }
        return name.indices.dropLast(word.count - 1).contains { start in
            name[start] == word[0] && name[start..<start + word.count].elementsEqual(word)
        }
    }

    /// The lowercase text without percent-encoding, as far as it is well-formed.
    private static func plain(_ part: Substring.UTF8View) -> [UInt8] {
        var (bytes, rest): ([UInt8], Substring.UTF8View) = ([], part)
        while let byte = rest.popFirst() {
            if byte == UInt8(ascii: "%"), rest.count >= 2, let value = UInt8(Substring(rest.prefix(2)), radix: 16) {
                bytes.append(lowercase(value))
                rest = rest.dropFirst(2)
            } else {
                bytes.append(lowercase(byte))
            }
        }
        return bytes
    }

    private static func lowercase(_ byte: UInt8) -> UInt8 { (0x41...0x5A).contains(byte) ? byte | 0x20 : byte }
}
