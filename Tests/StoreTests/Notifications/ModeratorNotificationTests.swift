import FeedCore
import FeedTestSupport
import TestKit
import Testing

@testable import FeedStore

/// Administrators are notified of sign-ups and reports.
@Suite(.hangLimit)
struct ModeratorNotificationTests {
    private static func admin(_ name: String, _ store: TestStore) async throws -> Account {
        var new = NewAccount(username: name)
        new.role = .admin
        return try await store.accounts.create(new)
    }

    private static func list(_ account: Account, _ store: TestStore) async throws -> [FeedCore.Notification] {
        try await store.notifications.notifications(
            of: account.id, page: Pagination(limit: 40), NotificationFilter()
        ).entries
    }

    @Test func administratorsLearnOfSignUpsAndReports() async throws {
        let store = try TestStore()
        let (root, second) = (try await Self.admin("root", store), try await Self.admin("second", store))
        let (ada, bob) = (try await store.account("ada"), try await store.account("bob"))
        let status = try await store.post("spam", by: bob)
        for (name, mode) in [("open", RegistrationPolicy.Mode.open), ("pending", .approval)] {
            _ = try await store.registrations.register(
                NewAccount(username: name), SignUp(mode: mode, reason: "please"))
        }
        // Neither a block nor a mute of the reporter keeps a report from an administrator.
        try await store.blocks.block(ada.id, by: root.id)
        try await store.mutes.mute(ada.id, by: second.id, Mute())
        var reports: [Report] = []
        for _ in 0..<2 {
            var draft = ReportDraft(targetID: bob.id)
            draft.statusIDs = [status.id]
            reports.append(try await store.reports.create(draft, by: ada.id))
        }
        for admin in [root, second] {
            let found = try await Self.list(admin, store)
            #expect(found.map(\.kind) == [.adminReport, .adminReport, .adminSignUp, .adminSignUp])
            #expect(found.map(\.from.username) == ["ada", "ada", "pending", "open"])
            #expect(found.compactMap(\.report?.id) == reports.reversed().map(\.id))
            #expect(found[0].report?.target.id == bob.id && found[0].report?.statusIDs == [status.id])
            let groups = try await store.groups(admin).entries
            #expect(groups.map(\.newestID) == found.map(\.id) && groups.map(\.report?.id) == found.map(\.report?.id))
            #expect(try await store.notifications.unread(of: admin.id, limit: 9) == 4)
        }
        for other in [ada, bob] { #expect(try await Self.list(other, store).isEmpty) }
        // A rejected sign-up leaves nothing behind.
        let pending = try #require(try await store.accounts.account(named: "pending"))
        _ = try await store.registrations.reject(pending.id)
        #expect(try await Self.list(root, store).map(\.from.username) == ["ada", "ada", "open"])
    }

    @Test func onlyAdministratorsSeeThem() async throws {
        let store = try TestStore()
        let root = try await Self.admin("root", store)
        let (ada, bob) = (try await store.account("ada"), try await store.account("bob"))
        _ = try await store.reports.create(ReportDraft(targetID: bob.id), by: ada.id)
        _ = try await store.reports.create(ReportDraft(targetID: bob.id), by: root.id)
        #expect(try await Self.list(root, store).map(\.from.id) == [ada.id])
        let demote: SQL = "UPDATE account SET role = 'member' WHERE id = \(root.id)"
        try await store.database.commits.write { try $0.execute(demote) }
        #expect(try await Self.list(root, store).isEmpty)
        #expect(try await store.groups(root).entries.isEmpty)
        #expect(try await store.notifications.unread(of: root.id, limit: 9) == 0)
    }
}
