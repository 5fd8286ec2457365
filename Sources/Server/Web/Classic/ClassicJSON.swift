import FeedAPI
import FeedCore

extension JSONWriter {
    /// Writes `{"statuses":[…]}` with exactly the keys that the 2014 clients expect; they crash on any other key.
    mutating func classicStatuses(_ statuses: [Status], base: String) {
        object {
            $0.array("statuses") { for status in statuses { $0.classicStatus(status, base: base) } }
        }
    }

    /// The text; or the content warning and where to read the text, because these clients cannot fold it.
    private static func text(of status: Status, base: String) -> String {
        guard let warning = status.warningLine else { return status.text }
        let isOnPages = status.visibility == .public || status.visibility == .unlisted
        return isOnPages ? "\(warning)\n\(base)/@\(status.account.username)/\(status.id)" : warning
    }

    private mutating func classicStatus(_ status: Status, base: String) {
        object {
            $0.key("Id")
            $0.int(status.id)
            $0.key("profileImageUrl")
            $0.string(base, status.account.avatarPath)
            $0.key("mbtype")
            $0.string(base, "/badges/", status.account.role.rawValue, ".png")
            $0.field("createdAt", ISO8601.classicText(milliseconds: status.createdAt))
            $0.field("source", status.source)
            $0.field("text", Self.text(of: status, base: base))
            $0.object("user") {
                $0.key("Id")
                $0.int(status.account.id)
                $0.field("name", status.account.displayNameOrUsername)
                $0.field("city", status.account.city)
            }
        }
    }
}
