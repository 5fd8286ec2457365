import FeedAPI
import FeedCore

extension JSONWriter {
    /// Writes an Admin::Account entity. This server keeps no addresses of its accounts' devices, sends no mail that could
    /// confirm an address, and knows no other servers.
    /// - Parameter reason: Why the account wants to join, if it awaits approval.
    mutating func adminAccount(_ account: Account, _ entities: EntityContext, reason: String? = nil) {
        object {
            $0.field("id", id: account.id)
            $0.field("username", account.username)
            $0.field("domain", nil)
            $0.field("created_at", time: account.createdAt)
            $0.field("email", account.email)
            $0.field("ip", nil)
            $0.empty("ips")
            $0.key("role")
            $0.role(account)
            $0.field("confirmed", true)
            $0.field("suspended", account.isSuspended(isPending: reason != nil))
            $0.field("silenced", account.silencedAt != nil)
            $0.field("sensitized", false)
            $0.field("disabled", false)
            $0.field("approved", reason == nil)
            $0.field("locale", account.defaultLanguage)
            $0.field("invite_request", reason.flatMap { $0.isEmpty ? nil : $0 })
            $0.key("account")
            $0.account(account, entities)
        }
    }

    mutating func adminAccountOrNull(_ account: Account?, _ entities: EntityContext) {
        if let account { adminAccount(account, entities) } else { null() }
    }
}
