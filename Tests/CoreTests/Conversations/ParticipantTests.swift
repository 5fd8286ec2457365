import FeedCore
import Testing

struct ParticipantTests {
    private static func status(by author: Int64, mentioning mentioned: [Int64]) -> Status {
        Status(
            id: 100, account: Account(id: author, username: "a", createdAt: 0), createdAt: 0, visibility: .direct,
            text: "", content: "", mentions: mentioned.map { .init(id: $0, username: "m\($0)") })
    }

    @Test(
        arguments: [
            (1, [2, 3], 1, [2, 3]), (1, [2, 3], 2, [1, 3]), (1, [1, 2], 1, [2]), (1, [], 1, [1]), (1, [1], 1, [1]),
            (1, [1, 2], 2, [1]),
            // Mentioned by a former version only.
            (1, [2], 9, [1, 2]),
        ] as [(Int64, [Int64], Int64, [Int64])])
    func participantsAreTheOthers(author: Int64, mentioned: [Int64], viewer: Int64, expected: [Int64]) {
        let status = Self.status(by: author, mentioning: mentioned)
        #expect(Conversation.participants(of: status, for: viewer) == expected)
    }

    @Test func onlySomeOfManyParticipantsAreShown() {
        let status = Self.status(by: 1, mentioning: Array(2...50))
        #expect(Conversation.participants(of: status, for: 1).count == Conversation.maximumAccounts)
    }
}
