import Foundation
import Testing

/// The checker itself detects faults.
@Suite struct EntityShapeTests {
    private static let good = #"{"id":"1","username":"ada","acct":"ada","url":"http://feed.test/@ada"}"#

    static let rows: [(json: String, problem: String?)] = [
        (good, nil),
        (#"{"id":1,"username":"ada","acct":"ada","url":"http://feed.test/@ada"}"#, "mention.id is no id"),
        (#"{"id":"x","username":"ada","acct":"ada","url":"http://feed.test/@ada"}"#, "mention.id is no id"),
        (#"{"id":"01","username":"ada","acct":"ada","url":"http://feed.test/@ada"}"#, "mention.id is no id"),
        (#"{"id":"1","username":null,"acct":"ada","url":"http://feed.test/@ada"}"#, "mention.username is no text"),
        (#"{"id":"1","acct":"ada","url":"http://feed.test/@ada"}"#, "mention.username is missing"),
        (#"{"id":"1","username":"ada","acct":"ada","url":"/@ada"}"#, "mention.url is no address"),
        (
            #"{"id":"1","username":"ada","acct":"ada","url":"http://feed.test/@ada","password":"x"}"#,
            "mention.password is not documented"
        ),
    ]

    @Test(arguments: rows)
    func problemsAreDetected(row: (json: String, problem: String?)) throws {
        let json = try JSONDecoder().decode(JSONValue.self, from: Data(row.json.utf8))
        let problems = EntityShape.mention.check(json)
        if let problem = row.problem {
            #expect(problems.count == 1 && problems[0].hasPrefix(problem), "\(problems)")
        } else {
            #expect(problems.isEmpty, "\(problems)")
        }
    }

    static let values: [(shape: Shape, json: String, isRight: Bool)] = [
        (.time, #""2024-01-31T23:59:59.999Z""#, true), (.time, #""2024-01-31T23:59:59Z""#, false),
        (.time, #""2024-01-31T23:59:59.999+00:00""#, false), (.time, "1", false), (.day, #""2024-01-31""#, true),
        (.day, #""2024-01-31T00:00:00.000Z""#, false), (.flag, "true", true), (.flag, "1", false),
        (.flag, #""true""#, false), (.count, "0", true), (.count, "-1", false), (.count, "1.5", false),
        (.count, "true", false), (.integer, "-1", true), (.orNull(.text), "null", true), (.text, "null", false),
        (.list(.count), "[1,2]", true), (.list(.count), "[1,null]", false), (.list(.count), "null", false),
        (.emptyList, "[]", true), (.emptyList, "[1]", false), (.emptyObject, "{}", true),
        (.emptyObject, "[]", false), (.word(["a"]), #""a""#, true), (.word(["a"]), #""b""#, false),
        (.object(["a": .own(.flag)]), "{}", false), (.object(["a": .may(.flag)]), "{}", true),
        (.webSocket, #""ws://x""#, true), (.webSocket, #""http://x""#, false), (.null, "0", false),
    ]

    @Test(arguments: values)
    func typesAreChecked(row: (shape: Shape, json: String, isRight: Bool)) throws {
        let json = try JSONDecoder().decode(JSONValue.self, from: Data(row.json.utf8))
        #expect(row.shape.check(json, hasToken: true).isEmpty == row.isRight)
    }

    @Test func viewerMembersRequireAToken() throws {
        let shape = Shape.object(["a": .own(.flag)])
        let json = try JSONDecoder().decode(JSONValue.self, from: Data(#"{"a":true}"#.utf8))
        #expect(shape.check(json, hasToken: true).isEmpty)
        #expect(shape.check(json, hasToken: false) == [".a is there without a token"])
    }

    @Test func repeatedKeysAreDetected() {
        #expect(RepeatedKeys.find(in: #"{"a":1,"b":{"a":[{"c":"x:\"c\":"},{"c":2}]}}"#.utf8).isEmpty)
        #expect(RepeatedKeys.find(in: #"{"a":1,"b":{"c":1,"c":2},"a":3}"#.utf8) == ["c", "a"])
    }
}

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

    /// Describes the faults of an entity; empty if it has no faults.
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
