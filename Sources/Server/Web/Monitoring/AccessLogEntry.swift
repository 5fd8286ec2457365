import FeedAPI
import FeedCore

/// A line of the access log. Pure.
///
/// It hides secrets, such as the passwords in the queries of the classic dialect (``LoggedQuery``), and no value can
/// imitate another field or line (``LogField``).
package struct AccessLogEntry: Sendable, Equatable {
    /// The maximum lengths in bytes.
    private static let (pathLimit, queryLimit, agentLimit, otherLimit) = (1024, 1024, 256, 64)
    /// The beginnings of paths whose rest is secret.
    private static let secretPaths = ["join/", "uploads/"]

    /// When the response was known, in milliseconds since 1970.
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
        entry.method = LogField.bounded(method, Self.otherLimit)
        entry.path = LogField.bounded(path, Self.pathLimit)
        entry.query = query.map { LogField.bounded($0, Self.queryLimit) }
        entry.agent = agent.map { LogField.bounded($0, Self.agentLimit) }
        return entry
    }

    /// The approximate memory in bytes.
    var cost: Int {
        let texts = id.utf8.count + method.utf8.count + path.utf8.count + address.utf8.count
        return [query, user, agent].reduce(MemoryLayout<Self>.stride + texts) { $0 + ($1?.utf8.count ?? 0) }
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
        LogField.append(method, limit: Self.otherLimit, to: &line)
        line.append(" path=")
        LogField.append(Self.shown(path), limit: Self.pathLimit, to: &line)
        if let shownQuery {
            line.append(" query=")
            LogField.append(shownQuery, to: &line)
        }
        line.append(" status=")
        line.append(contentsOf: String(status).utf8)
        line.append(" bytes=")
        if let bytes { line.append(contentsOf: String(bytes).utf8) } else { line.append("-") }
        line.append(" ms=")
        line.append(thousandths: microseconds)
        line.append(" from=")
        LogField.append(address, limit: Self.otherLimit, to: &line)
        line.append(" user=")
        Self.append(user, limit: Self.otherLimit, to: &line)
        line.append(" id=")
        LogField.append(id, limit: Self.otherLimit, to: &line)
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
                $0.field("method", LogField.json(method, limit: Self.otherLimit))
                $0.field("path", LogField.json(Self.shown(path), limit: Self.pathLimit))
                $0.field("query", shownQuery.map { LogField.json($0) })
                $0.field("status", status)
                $0.key("bytes")
                if let bytes { $0.int(bytes) } else { $0.null() }
                $0.key("ms")
                $0.decimal(thousandths: microseconds)
                $0.field("from", LogField.json(address, limit: Self.otherLimit))
                $0.field("user", user.map { LogField.json($0, limit: Self.otherLimit) })
                $0.field("id", LogField.json(id, limit: Self.otherLimit))
                $0.field("agent", agent.map { LogField.json($0, limit: Self.agentLimit) })
            }
        }
        line.append(contentsOf: json.bytes)
    }

    private static func append(_ value: String?, limit: Int, to line: inout [UInt8]) {
        if let value { LogField.append(value, limit: limit, to: &line) } else { line.append("-") }
    }

    /// The query without secrets. It is cut before they are hidden: the name of one always precedes it.
    private var shownQuery: String? { query.map { LoggedQuery.text(LogField.bounded($0, Self.queryLimit)) } }

    /// The path without secrets: the codes of invitations and the ids of uploads.
    private static func shown(_ path: String) -> String {
        let rest = path.utf8.drop { $0 == UInt8(ascii: "/") }
        guard let secret = secretPaths.first(where: { rest.starts(with: $0.utf8) }),
            rest.count > secret.utf8.count
        else { return path }
        return "/\(secret)***"
    }
}
