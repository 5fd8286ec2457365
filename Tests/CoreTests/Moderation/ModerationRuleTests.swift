import FeedCore
import Testing

struct ModerationRuleTests {
    struct Row: Sendable, CustomTestStringConvertible {
        let action: ModerationAction
        var isAdmin = true
        /// Whether the moderator has been suspended since the request was authenticated.
        var isSuspended = false
        var isSelf = false
        var targetIsAdmin = false
        var targetIsSuspended = false
        let isAllowed: Bool

        var testDescription: String { "\(self)" }
    }

    static let rows: [Row] =
        ModerationAction.allCases.map { Row(action: $0, isAdmin: false, targetIsSuspended: true, isAllowed: false) }
        + ModerationAction.allCases.map {
            Row(action: $0, isSuspended: true, targetIsSuspended: true, isAllowed: false)
        }
        + ModerationAction.allCases.map { Row(action: $0, targetIsSuspended: true, isAllowed: true) }
        + [
            Row(action: .none, isSelf: true, targetIsAdmin: true, isAllowed: true),
            Row(action: .unsilence, isSelf: true, targetIsAdmin: true, isAllowed: true),
            Row(action: .silence, isSelf: true, targetIsAdmin: true, isAllowed: false),
            Row(action: .suspend, isSelf: true, targetIsAdmin: true, isAllowed: false),
            Row(action: .remove, isSelf: true, targetIsAdmin: true, targetIsSuspended: true, isAllowed: false),
            Row(action: .silence, targetIsAdmin: true, isAllowed: true),
            Row(action: .suspend, targetIsAdmin: true, isAllowed: true),
            Row(action: .remove, isAllowed: false),
            Row(action: .remove, targetIsAdmin: true, targetIsSuspended: true, isAllowed: true),
        ]

    @Test(arguments: rows) func moderatorsMayDoOnlyWhatTheTableAllows(row: Row) {
        var moderator = Account(id: 1, username: "root", role: row.isAdmin ? .admin : .member, createdAt: 0)
        if row.isSuspended { moderator.suspendedAt = 1 }
        var target = Account(
            id: row.isSelf ? 1 : 2, username: "ada", role: row.targetIsAdmin ? .admin : .member, createdAt: 0)
        if row.targetIsSuspended { target.suspendedAt = 1 }
        var refusal: FeedError.Kind?
        do {
            try ModerationRule.check(row.action, by: moderator, on: target)
        } catch {
            refusal = error.kind
        }
        #expect(refusal == (row.isAllowed ? nil : .forbidden))
    }

    @Test func rolesAreChangedByOtherAdministratorsOnly() {
        func refusal(_ moderator: Account, _ target: Account) -> FeedError.Kind? {
            do { try ModerationRule.checkRole(of: target, by: moderator) } catch { return error.kind }
            return nil
        }
        var root = Account(id: 1, username: "root", role: .admin, createdAt: 0)
        let (ada, bob) = (
            Account(id: 2, username: "ada", role: .admin, createdAt: 0), Account(id: 3, username: "bob", createdAt: 0)
        )
        #expect(refusal(root, ada) == nil && refusal(root, bob) == nil)
        #expect(refusal(root, root) == .forbidden && refusal(bob, ada) == .forbidden)
        root.suspendedAt = 1
        #expect(refusal(root, bob) == .forbidden)
    }

    @Test func theOnlyAdministratorStays() {
        func refusal(_ role: Account.Role, suspendedAt: Int64? = nil, otherAdmins: Int) -> String? {
            var account = Account(id: 1, username: "root", role: role, createdAt: 0)
            account.suspendedAt = suspendedAt
            do { try ModerationRule.requireOtherAdmin(than: account, otherAdmins: otherAdmins) } catch {
                return error.message
            }
            return nil
        }
        #expect(refusal(.admin, otherAdmins: 0) == "root is the only administrator")
        #expect(refusal(.admin, otherAdmins: 1) == nil && refusal(.member, otherAdmins: 0) == nil)
        #expect(refusal(.admin, suspendedAt: 1, otherAdmins: 0) == nil)
    }
}
