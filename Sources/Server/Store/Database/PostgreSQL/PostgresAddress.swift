package import FeedCore
import Foundation

/// The address of a PostgreSQL database (PostgreSQL manual, "Connection URIs").
package struct PostgresAddress: Sendable {
    let text: String

    /// - Throws: ``FeedError`` `.malformed` if `text` is not a PostgreSQL URI, or if it contains a password: other
    ///   users of the machine can read command line arguments.
    package init(_ text: String) throws(FeedError) {
        guard text.hasPrefix("postgresql://") || text.hasPrefix("postgres://") else {
            throw .malformed("not a PostgreSQL address", hint: "Use the form postgresql://USER@HOST/DATABASE.")
        }
        let rest = Substring(text.utf8.drop { $0 != UInt8(ascii: "/") }.dropFirst(2))
        // libpq looks for the user and the password before the first slash, even after a question mark.
        let user = rest.utf8.prefix { $0 != UInt8(ascii: "/") }
            .split(separator: UInt8(ascii: "@"), omittingEmptySubsequences: false)
        let hasPassword = user.dropLast().contains { $0.contains(UInt8(ascii: ":")) }
        let isParameter = (rest.removingPercentEncoding ?? String(rest)).utf8.contains("password=".utf8)
        guard !hasPassword, !isParameter else {
            throw .malformed(
                "the address must not contain a password",
                hint: "Store the password in a file and set PGPASSFILE, or set PGPASSWORD.")
        }
        self.text = text
    }

    /// The URI with default parameters. The timeouts prevent an unresponsive server from blocking requests for long.
    /// - Parameter primary: Whether to connect only to a server that accepts writes.
    func withDefaults(primary: Bool) -> String {
        let defaults = [
            "connect_timeout=5", "tcp_user_timeout=10000", "keepalives_idle=5", "keepalives_interval=2",
            "keepalives_count=3", "application_name=feedserver",
        ]
        return (defaults + (primary ? ["target_session_attrs=read-write"] : [])).reduce(text) { text, setting in
            let name = setting.prefix { $0 != "=" } + "="
            return text.contains(name) ? text : text + (text.contains("?") ? "&" : "?") + setting
        }
    }

    /// The address without its parameters, for messages.
    var redacted: String { String(Substring(text.utf8.prefix { $0 != UInt8(ascii: "?") })) }
}
