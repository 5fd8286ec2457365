/// The entities of the Mastodon API as documented on docs.joinmastodon.org, with additional members that applications
/// require (each has a comment). A member that is neither documented nor added is a fault, and so is the lack of one that
/// Mastodon 4.3 always sends: it is null or empty where unset. Compared key by key with the serializers of Mastodon 4.3.0
/// (commit edcf3d92) and 4.3.23 (efb25b6a).
enum EntityShape: String, CaseIterable, Sendable {
    case status, deletedStatus, statusEdit, statusSource, context, mention, statusTag, mediaAttachment, poll
    case scheduledStatus
    case account, credentialAccount, mutedAccount, field, role, shownRole, relationship
    case filter, filterKeyword, filterStatus, filterResult, oldFilter, familiarFollowers
    case notification, notificationGroups, notificationGroup, partialAccount, notificationPolicy, notificationPolicyV1
    case unreadCount, marker, markers, preferences, tag, search, list
    case application, credentialApplication, token, tokenInfo, error, oauthError
    case conversation, featuredTag, suggestion, customEmoji
    case report, adminAccount, adminReport
    case instanceV1, instanceV2, page, rule, nodeInfo, nodeInfoLinks

    /// Describes the faults of an entity; empty if there are none.
    /// - Parameter hasToken: Whether the request had a token.
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
        case .scheduledStatus: Documented.scheduledStatus
        case .poll: Documented.poll
        case .account: Documented.account
        case .credentialAccount: Documented.credentialAccount
        case .mutedAccount: Documented.mutedAccount
        case .field: Documented.field
        case .role: Documented.role
        case .shownRole: Documented.shownRole
        case .filter: Documented.filter
        case .filterKeyword: Documented.filterKeyword
        case .filterStatus: Documented.filterStatus
        case .filterResult: Documented.filterResult
        case .oldFilter: Documented.oldFilter
        case .familiarFollowers: Documented.familiarFollowers
        case .relationship: Documented.relationship
        case .notification: Documented.notification
        case .notificationGroups: Documented.notificationGroups
        case .notificationGroup: Documented.notificationGroup
        case .partialAccount: Documented.partialAccount
        case .notificationPolicy: Documented.notificationPolicy
        case .notificationPolicyV1: Documented.notificationPolicyV1
        case .unreadCount: Documented.unreadCount
        case .marker: Documented.marker
        case .markers: Documented.markers
        case .preferences: Documented.preferences
        case .tag: Documented.tag
        case .search: Documented.search
        case .list: Documented.list
        case .application: Documented.application
        case .credentialApplication: Documented.credentialApplication
        case .token: Documented.token
        case .tokenInfo: Documented.tokenInfo
        case .error, .oauthError: Documented.error
        case .conversation: Documented.conversation
        case .featuredTag: Documented.featuredTag
        case .suggestion: Documented.suggestion
        case .customEmoji: Documented.customEmoji
        case .report: Documented.report
        case .adminAccount: Documented.adminAccount
        case .adminReport: Documented.adminReport
        case .instanceV1: Documented.instanceV1
        case .instanceV2: Documented.instanceV2
        case .page: Documented.page
        case .rule: Documented.rule
        case .nodeInfo: Documented.nodeInfo
        case .nodeInfoLinks: Documented.nodeInfoLinks
        }
    }

    /// Checks constraints between members.
    func rule(_ json: JSONValue) -> [String] {
        switch self {
        case .status where json["reblog"]?["reblog"] != nil && json["reblog"]?["reblog"] != .null:
            ["a boost of a boost"]
        case .status where json["visibility"]?.text == "direct" && json["pinned"] != nil:
            ["pinned although it cannot be"]
        case .notification:
            Self.parts(of: json, status: "status")
        case .notificationGroup:
            Self.parts(of: json, status: "status_id")
        case .account, .credentialAccount, .mutedAccount:
            // Documented as an attribute of silenced and suspended accounts only.
            json["limited"] == .flag(false) ? ["limited is false"] : []
        case .report, .adminReport:
            (json["action_taken"] == .flag(true)) == (json["action_taken_at"] != .null)
                ? [] : ["the time does not go with the action"]
        case .error, .oauthError: json["error"]?.text?.isEmpty == true ? ["an empty error"] : []
        default: []
        }
    }

    /// Checks that a notification or a group has what belongs to its type.
    private static func parts(of json: JSONValue, status: String) -> [String] {
        let type = json["type"]?.text ?? ""
        return (withStatus.contains(type) == (json[status] != nil) ? [] : ["the status does not go with the type"])
            + ((type == "admin.report") == (json["report"] != nil) ? [] : ["the report does not go with the type"])
    }

    private static let withStatus = ["mention", "status", "reblog", "favourite", "poll", "update"]
}

/// The tables.
enum Documented {}
