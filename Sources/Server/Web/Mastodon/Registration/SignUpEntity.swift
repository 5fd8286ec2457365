import FeedAPI
import FeedCore

/// The content of an Admin::Account entity of an account that is pending or has just been approved.
struct SignUpEntity {
    let account: Account
    let isPending: Bool
    let reason: String
}

extension JSONWriter {
    /// Writes an Admin::Account entity. Addresses of clients are not stored.
    mutating func adminAccount(_ signUp: SignUpEntity, _ entities: EntityContext) {
        let account = signUp.account
        object {
            $0.field("id", id: account.id)
            $0.field("username", account.username)
            $0.field("domain", nil)
            $0.field("created_at", time: account.createdAt)
            $0.field("email", account.email)
            $0.field("ip", nil)
            $0.empty("ips")
            $0.field("locale", account.defaultLanguage ?? "en")
            $0.field("invite_request", signUp.reason.isEmpty ? nil : signUp.reason)
            $0.key("role")
            $0.role(account)
            $0.field("confirmed", true)
            $0.field("approved", !signUp.isPending)
            $0.field("disabled", false)
            $0.field("silenced", false)
            $0.field("suspended", false)
            $0.field("sensitized", false)
            $0.key("account")
            $0.account(account, entities)
        }
    }
}
