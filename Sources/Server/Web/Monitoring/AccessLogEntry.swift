import FeedAPI
import FeedCore

/// A line of the access log. Pure.
///
/// It contains no query, because that of the classic dialect contains passwords, and no value can imitate another field
/// or line (``LogField``).
struct AccessLogEntry: Sendable, Equatable {
    /// The maximum lengths in bytes.
    private static let (pathLimit, agentLimit, otherLimit) = (1024, 256, 64)
    /// The first segments of paths whose rest is secret.
    private static let secretPaths: Set<Substring> = ["join", "uploads"]

    /// When the response was known, in milliseconds since 1970.
    var time: Int64
    var id: String
    var method: String
    /// The path without the query, as the client sent it.
    var path: String
    var status: Int
    /// The length of the body in bytes; `nil` if it is not known in advance.
    var bytes: Int?
    /// The time until the response was known, in microseconds.
    var microseconds: Int64
    var address: String
    /// The account of the token.
    var user: String?
    var agent: String?

    var text: String {
        var line = ISO8601.text(milliseconds: time) + " info request method="
        line += LogField.text(method, limit: Self.otherLimit)
        line += " path=" + LogField.text(Self.shown(path), limit: Self.pathLimit)
        line += " status=\(status) bytes=" + (bytes.map { String($0) } ?? "-")
        line += " ms=" + Self.milliseconds(microseconds)
        line += " from=" + LogField.text(address, limit: Self.otherLimit)
        line += " user=" + (user.map { LogField.text($0, limit: Self.otherLimit) } ?? "-")
        line += " id=" + LogField.text(id, limit: Self.otherLimit)
        line += " agent=" + (agent.map { LogField.text($0, limit: Self.agentLimit) } ?? "-")
        return line
    }

    var json: String {
        var json = JSONWriter(capacity: 512)
        json.object {
            $0.field("time", ISO8601.text(milliseconds: time))
            $0.field("level", "info")
            $0.field("message", "request")
            $0.object("data") {
                $0.field("method", LogField.json(method, limit: Self.otherLimit))
                $0.field("path", LogField.json(Self.shown(path), limit: Self.pathLimit))
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
        return String(decoding: json.bytes, as: UTF8.self)
    }

    /// The path without secrets: the codes of invitations and the ids of uploads.
    private static func shown(_ path: String) -> String {
        let parts = path.split(separator: "/", maxSplits: 1)
        guard parts.count == 2, secretPaths.contains(parts[0]) else { return path }
        return "/\(parts[0])/***"
    }

    private static func milliseconds(_ microseconds: Int64) -> String {
        let rest = String(microseconds % 1000)
        return "\(microseconds / 1000)." + String(repeating: "0", count: max(0, 3 - rest.count)) + rest
    }
}
