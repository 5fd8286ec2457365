import FeedCore
import Testing

struct InvitationTests {
    static let rows: [(uses: Int, expiresAt: Int64, suspendedAt: Int64?, isUsable: Bool)] = [
        (0, 1001, nil, true), (2, 1001, nil, true), (3, 1001, nil, false), (4, 1001, nil, false),
        (0, 1000, nil, false), (0, 999, nil, false), (0, 1001, 5, false), (.min, .max, nil, true),
        (.max, .max, nil, false),
    ]

    @Test func invitationEndsByUseTimeAndSuspension() {
        for row in Self.rows {
            let inviter = Account(id: 1, username: "ada", createdAt: 0, suspendedAt: row.suspendedAt)
            let invitation = Invitation(
                code: "x", inviter: inviter, createdAt: 0, expiresAt: row.expiresAt, maximumUses: 3, uses: row.uses)
            #expect(invitation.isUsable(at: 1000) == row.isUsable, "\(row)")
        }
        let ownerless = Invitation(code: "x", createdAt: 0, expiresAt: 2, maximumUses: 1)
        #expect(ownerless.isUsable(at: 1))
    }

    @Test func codesAreRandomAndNeedNoEscaping() {
        let codes = Set((0..<1000).map { _ in Invitation.newCode() })
        #expect(codes.count == 1000 && codes.allSatisfy(Invitation.isCode))
        #expect(Set(codes.joined()).count == 32, "all characters are used")
        #expect(codes.joined().utf8.allSatisfy { (97...122).contains($0) || (50...57).contains($0) })
    }

    @Test(arguments: [
        "", "a", "abcdefghijkmnpqrstu", "ABCDEFGHIJKMNPQRSTUV", "abcdefghijkmnpqrst0v", "-bcdefghijkmnpqrstuv",
    ])
    func otherTextIsNoCode(text: String) { #expect(!Invitation.isCode(text)) }
}
