import FeedAPI
import FeedTestSupport
import Foundation
import Testing

/// The entities as clients decode them (``Entity``) have the keys that the server writes: together with
/// ``EndpointShapeTests``, which compares every response with the same shapes, neither side can name a key differently.
@Suite struct EntityKeyTests {
    struct Row: CustomTestStringConvertible, Sendable {
        let shape: EntityShape
        let type: any (Decodable & Sendable).Type
        /// An entity with the members without which it cannot be decoded.
        let json: String

        init(_ shape: EntityShape, _ type: any (Decodable & Sendable).Type, _ json: String) {
            (self.shape, self.type, self.json) = (shape, type, json)
        }

        var testDescription: String { shape.rawValue }
    }

    private static let account = #"{"id":"1","username":"ada","acct":"ada","display_name":"Ada","url":"http://x/@ada"}"#
    private static let status = #"{"id":"1","created_at":"2026-01-31T00:00:00.000Z","account":\#(account)}"#

    static let rows: [Row] = [
        Row(.account, Entity.Account.self, account), Row(.status, Entity.Status.self, status),
        Row(.credentialAccount, Entity.Profile.self, account),
        Row(.mention, Entity.Mention.self, #"{"id":"1","username":"ada","acct":"ada","url":"http://x/@ada"}"#),
        Row(.tag, Entity.Tag.self, #"{"name":"swift","url":"http://x/tags/swift"}"#),
        Row(.list, Entity.List.self, #"{"id":"1","title":"friends"}"#),
        Row(.relationship, Entity.Relationship.self, #"{"id":"1"}"#),
        Row(.poll, Entity.Poll.self, #"{"id":"1","expired":false,"multiple":false,"votes_count":0,"options":[]}"#),
        Row(.mediaAttachment, Entity.MediaAttachment.self, #"{"id":"1","type":"image","url":"http://x/media/1.png"}"#),
        Row(
            .notification, Entity.Notification.self,
            #"{"id":"1","type":"follow","created_at":"2026-01-31T00:00:00.000Z","account":\#(account)}"#),
        Row(
            .notificationGroup, Entity.NotificationGroup.self,
            #"{"group_key":"x","notifications_count":1,"type":"follow","most_recent_notification_id":1}"#),
        Row(
            .notificationGroups, Entity.GroupedNotifications.self,
            #"{"accounts":[],"statuses":[],"notification_groups":[]}"#),
        Row(
            .scheduledStatus, Entity.ScheduledStatus.self,
            #"{"id":"1","scheduled_at":"2026-01-31T00:00:00.000Z","params":{"text":"x"},"media_attachments":[]}"#),
        Row(.report, Entity.Report.self, #"{"id":"1","comment":"","category":"spam","target_account":\#(account)}"#),
        Row(.error, Entity.Failure.self, #"{"error":"x"}"#),
    ]

    /// Members that only other servers send, or only some responses.
    private static let others: [EntityShape: Set<String>] = [
        .status: ["quote", "text"], .account: ["mute_expires_at"],
    ]

    @Test(arguments: rows)
    func decodedKeysAreThoseThatAreWritten(row: Row) throws {
        let entity = try JSONDecoder().decode(row.type, from: Data(row.json.utf8))
        let keys = Set(Mirror(reflecting: entity).children.compactMap(\.label))
        #expect(!keys.isEmpty)
        #expect(keys.subtracting(row.shape.fields.keys).subtracting(Self.others[row.shape] ?? []) == [])
    }
}
