import FeedAPI
import FeedCore
import FeedTerminal

/// Formats accounts for the command line.
enum AccountRenderer {
    /// - Parameter pending: The accounts that await approval.
    static func table(_ accounts: [Account], pending: Set<Int64>) -> String {
        let rows =
            [["NAME", "DISPLAY NAME", "ROLE", "STATUSES", "FOLLOWERS", "LOGIN"]]
            + accounts.map { row($0, isPending: pending.contains($0.id)) }
        let widths = rows.reduce([Int](repeating: 0, count: 6)) { widths, row in
            zip(widths, row).map { max($0, min(40, TextWidth.columns(of: $1))) }
        }
        return rows.map { line($0, widths) + "\n" }.joined()
    }

    /// - Parameter reason: The reason for joining, of an account that awaits approval.
    static func card(_ account: Account, reason: String?) -> String {
        var fields = [
            ("name", account.username), ("display name", account.displayName), ("city", account.city),
            ("email", account.email), ("role", account.role.rawValue), ("id", String(account.id)),
            ("created", ISO8601.text(milliseconds: account.createdAt)),
            ("last status", account.lastStatusAt.map { ISO8601.text(milliseconds: $0) } ?? "-"),
            ("statuses", String(account.statusesCount)), ("followers", String(account.followersCount)),
            ("following", String(account.followingCount)), ("login", login(account, isPending: reason != nil)),
            ("note", account.note),
        ]
        if let reason { fields.append(("reason", reason)) }
        return fields.map { TextWidth.padded($0.0, to: 14) + SafeText.line($0.1) + "\n" }.joined()
    }

    /// - Parameter reason: The reason for joining, of an account that awaits approval.
    static func json(_ account: Account, reason: String?) -> String {
        var json = JSONWriter()
        json.object {
            $0.field("id", id: account.id)
            $0.field("username", account.username)
            $0.field("display_name", account.displayName)
            $0.field("city", account.city)
            $0.field("email", account.email)
            $0.field("role", account.role.rawValue)
            $0.field("created_at", time: account.createdAt)
            $0.field("last_status_at", time: account.lastStatusAt)
            $0.field("statuses_count", account.statusesCount)
            $0.field("followers_count", account.followersCount)
            $0.field("following_count", account.followingCount)
            $0.field("has_password", account.hasPassword)
            $0.field("silenced", account.silencedAt != nil)
            $0.field("suspended", account.isSuspended(isPending: reason != nil))
            $0.field("removed", account.removedAt != nil)
            $0.field("pending", reason != nil)
            if let reason { $0.field("reason", reason) }
        }
        return String(decoding: json.bytes, as: UTF8.self)
    }

    private static func row(_ account: Account, isPending: Bool) -> [String] {
        [
            account.username, SafeText.line(account.displayName), account.role.rawValue, String(account.statusesCount),
            String(account.followersCount), login(account, isPending: isPending),
        ]
    }

    private static func line(_ row: [String], _ widths: [Int]) -> String {
        let cells = zip(row, widths).map { TextWidth.padded($0, to: $1) }
        return cells.joined(separator: "  ").trimmingRight
    }

    private static func login(_ account: Account, isPending: Bool) -> String {
        if isPending { return "awaits approval" }
        if account.removedAt != nil { return "removed" }
        if account.suspendedAt != nil { return "suspended" }
        return (account.hasPassword ? "yes" : "no password") + (account.silencedAt == nil ? "" : ", silenced")
    }
}

extension String {
    fileprivate var trimmingRight: String {
        var text = self
        while text.last == " " { text.removeLast() }
        return text
    }
}
