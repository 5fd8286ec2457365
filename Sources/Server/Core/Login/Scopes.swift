/// What a token may do; the words are those of OAuth in the Mastodon API.
package struct Scopes: Sendable, Equatable {
    package static let known = ["read", "write", "follow", "push", offline]
    package static let all = Scopes(words: ["read", "write", "follow", "push"])
    /// Asks for a refresh token, the word being that of OpenID Connect.
    private static let offline = "offline_access"
    /// What the old word `follow` stands for.
    private static let follow = ["blocks", "follows", "mutes"].flatMap { ["read:" + $0, "write:" + $0] }

    package let words: [String]

    package init(words: [String]) { self.words = words }

    /// Reads a list of words parted by spaces.
    /// - Throws: ``FeedError`` `.malformed` on an unknown word or none at all.
    package init(parsing text: String) throws(FeedError) {
        var words: [String] = []
        for word in text.split(separator: " ").prefix(100).map(String.init) where !words.contains(word) {
            words.append(word)
        }
        guard !words.isEmpty, words.count <= 32, words.allSatisfy(Self.isKnown) else {
            throw .malformed(
                "The requested scope is invalid, unknown, or malformed.",
                hint: "Known scopes: " + Self.known.joined(separator: " "))
        }
        self.words = words
    }

    /// `read` also grants `read:statuses`, and `follow` is an old name for parts of `read` and `write`.
    package func allows(_ scope: Scope) -> Bool { allows(word: scope.rawValue) }

    /// Whether a token with these scopes may get one that also names `scope`.
    package func allows(word scope: String) -> Bool {
        words.contains(scope) || words.contains { scope.hasPrefix($0 + ":") }
            || words.contains("follow") && Self.follow.contains(scope)
    }

    /// Whether a refresh token belongs to it.
    package var areRenewable: Bool { words.contains(Self.offline) }

    package var text: String { words.joined(separator: " ") }

    private static func isKnown(_ word: String) -> Bool {
        let isPlain = word.utf8.count < 40 && word.utf8.allSatisfy { (97...122).contains($0) || $0 == 95 || $0 == 58 }
        return known.contains(word) || isPlain && ["read:", "write:", "admin:"].contains { word.hasPrefix($0) }
    }
}
