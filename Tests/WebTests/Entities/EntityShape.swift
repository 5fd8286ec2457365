/// The entities of the Mastodon API as docs.joinmastodon.org documents them, and what programs need besides
/// (each addition says which). A member that is neither documented nor added is a problem, too.
enum EntityShape: String, CaseIterable, Sendable {
    case status, deletedStatus, statusEdit, statusSource, context, mention, statusTag, mediaAttachment
    case account, credentialAccount, mutedAccount, field, role, relationship
    case notification, unreadCount, marker, markers, preferences, tag, search
    case application, credentialApplication, token, error, oauthError
    case instanceV1, instanceV2, page, rule, nodeInfo, nodeInfoLinks

    /// What is wrong with an entity; nothing when all is right.
    /// - Parameter hasToken: Whether the one who asked was logged in.
    func check(_ json: JSONValue, hasToken: Bool = false) -> [String] {
        Shape.entity(self).check(json, hasToken: hasToken, at: rawValue)
    }

    var fields: [String: Shape.Field] {
        switch self {
        case .status: Documented.status
        case .deletedStatus: Documented.deletedStatus
        case .statusEdit: Documented.statusEdit
        case .statusSource: Documented.statusSource
        case .context: Documented.context
        case .mention: Documented.mention
        case .statusTag: Documented.statusTag
        case .mediaAttachment: Documented.mediaAttachment
        case .account: Documented.account
        case .credentialAccount: Documented.credentialAccount
        case .mutedAccount: Documented.mutedAccount
        case .field: Documented.field
        case .role: Documented.role
        case .relationship: Documented.relationship
        case .notification: Documented.notification
        case .unreadCount: Documented.unreadCount
        case .marker: Documented.marker
        case .markers: Documented.markers
        case .preferences: Documented.preferences
        case .tag: Documented.tag
        case .search: Documented.search
        case .application: Documented.application
        case .credentialApplication: Documented.credentialApplication
        case .token: Documented.token
        case .error, .oauthError: Documented.error
        case .instanceV1: Documented.instanceV1
        case .instanceV2: Documented.instanceV2
        case .page: Documented.page
        case .rule: Documented.rule
        case .nodeInfo: Documented.nodeInfo
        case .nodeInfoLinks: Documented.nodeInfoLinks
        }
    }

    /// What the members have to do with each other.
    func rule(_ json: JSONValue) -> [String] {
        switch self {
        case .status where json["reblog"]?["reblog"] != nil && json["reblog"]?["reblog"] != .null:
            ["a boost of a boost"]
        case .notification:
            Self.withStatus.contains(json["type"]?.text ?? "") == (json["status"] != nil)
                ? [] : ["the status does not go with the type"]
        case .error, .oauthError: json["error"]?.text?.isEmpty == true ? ["an empty error"] : []
        default: []
        }
    }

    private static let withStatus = ["mention", "status", "reblog", "favourite", "poll", "update"]
}

/// The tables.
enum Documented {}
