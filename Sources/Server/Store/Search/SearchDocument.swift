import FeedAPI
import FeedCore

/// The content of a status in the search index.
package struct SearchDocument: Sendable, Equatable {
    /// Stands between two texts, so that no phrase extends over both. No token is equal to it.
    static let gap = "\u{E000}"
    /// The maximum number of tokens, of which a text has up to ``SearchText/maximumTokens``.
    private static let maximumWords = 16_000

    let id: Int64
    /// Whether only its author, the accounts that it mentions and followers of its author find the status.
    let isRestricted: Bool
    /// The tokens of all texts in their order.
    let words: [String]
    let facts: [String]

    /// - Parameter mentioned: The accounts that the status mentions or once mentioned.
    init(_ status: Status, mentioned: [Int64]) {
        id = status.id
        isRestricted = !status.visibility.isPublicOrUnlisted || !status.account.isFoundByAll
        let texts =
            [status.text, status.spoilerText] + (status.poll?.titles ?? []) + status.media.compactMap(\.description)
        let words = texts.filter { !$0.isEmpty }.map(SearchText.tokens).joined(separator: [Self.gap])
        self.words = Array(words.prefix(Self.maximumWords))
        facts = SearchFact.all(of: status, mentioned: mentioned).map(\.token)
    }
}

extension Account {
    /// Whether everyone finds the public statuses of the account. Moderation excludes accounts.
    var isFoundByAll: Bool { privacy.contains(.indexable) && suspendedAt == nil && silencedAt == nil }
}
