/// The OAuth scopes of a token, as defined by the Mastodon API.
package struct Scopes: Sendable, Equatable {
    /// The top-level scopes.
    package static let known = ["read", "write", "follow", "push", offline]
    /// All scopes except `offline_access`.
    package static let all = Scopes(words: ["read", "write", "follow", "push"])
    /// Requests a refresh token (OpenID Connect Core 1.0 §11).
    private static let offline = "offline_access"
    /// The scopes granted by the deprecated scope `follow`.
    private static let follow = ["blocks", "follows", "mutes"].flatMap { ["read:" + $0, "write:" + $0] }

    package let words: [String]

    package init(words: [String]) { self.words = words }

    /// Parses a space-separated list of scopes (RFC 6749 §3.3).
    /// - Throws: ``FeedError`` `.malformed` if the list is empty or contains an unknown scope.
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

    /// Whether these scopes grant `scope`. `read` includes `read:statuses` and so on; `follow` grants parts of `read`
    /// and `write`.
    package func allows(_ scope: Scope) -> Bool { allows(word: scope.rawValue) }

    /// Whether these scopes grant a scope given by name.
    package func allows(word scope: String) -> Bool {
        words.contains(scope) || words.contains { scope.hasPrefix($0 + ":") }
            || words.contains("follow") && Self.follow.contains(scope)
    }

    /// Whether a refresh token is issued along with the access token.
    package var includeOfflineAccess: Bool { words.contains(Self.offline) }

    /// The scopes as a space-separated list.
    package var text: String { words.joined(separator: " ") }

    private static func isKnown(_ word: String) -> Bool {
        let isPlain = word.utf8.count < 40 && word.utf8.allSatisfy { (97...122).contains($0) || $0 == 95 || $0 == 58 }
        return known.contains(word) || isPlain && ["read:", "write:", "admin:"].contains { word.hasPrefix($0) }
    }
}
