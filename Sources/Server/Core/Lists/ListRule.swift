/// The rules of lists: their titles, their number, and who may be a member.
package enum ListRule {
    /// The maximum number of lists of an account.
    package static let maximumLists = 50
    /// The maximum number of members of a list.
    package static let maximumMembers = 500
    /// The maximum length of a title in characters.
    package static let titleCharacters = 256

    /// - Throws: ``FeedError`` `.invalid` if the title is blank or too long.
    package static func checkTitle(_ title: String) throws(FeedError) {
        guard title.contains(where: { !$0.isWhitespace }) else { throw .invalid("Title can't be blank") }
        guard title.count <= titleCharacters else {
            throw .invalid("Title is longer than \(titleCharacters) characters")
        }
    }

    /// - Parameter count: The number of lists that the account has.
    /// - Throws: ``FeedError`` `.invalid` if the account must not create another list.
    package static func checkNumber(_ count: Int) throws(FeedError) {
        guard count < maximumLists else { throw .invalid("You cannot have more than \(maximumLists) lists") }
    }

    /// Decides whether accounts may be added to a list.
    /// - Parameters:
    ///   - accounts: The requested accounts, without repetitions.
    ///   - candidates: The accounts that the owner may add: followed accounts, and itself.
    ///   - members: The current members.
    ///   - count: The number of members.
    /// - Throws: ``FeedError`` `.notFound` for an account that the owner does not follow; `.invalid` if there are no
    ///   accounts, one is a member already, or there would be too many. The responses are those of Mastodon.
    package static func checkAdding(
        _ accounts: [Int64], candidates: Set<Int64>, members: Set<Int64>, count: Int
    ) throws(FeedError) {
        guard !accounts.isEmpty else { throw .invalid("account_ids is missing or empty") }
        guard candidates.isSuperset(of: accounts) else { throw .notFound }
        guard members.isDisjoint(with: accounts) else { throw .invalid("Account has already been taken") }
        guard accounts.count <= maximumMembers - count else {
            throw .invalid("A list cannot have more than \(maximumMembers) members")
        }
    }
}
