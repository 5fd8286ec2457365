import FeedAPI
import FeedTerminal

/// Renders an account as one line: handle and display name. Pure.
enum AccountLine {
    static func text(_ account: Entity.Account) -> String {
        let name = SafeText.line(account.display_name)
        return "@" + SafeText.line(account.acct) + (name.isEmpty ? "" : "  " + name)
    }
}
