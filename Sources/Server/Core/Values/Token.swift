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
    package func allows(_ scope: String) -> Bool {
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

/// An access token as it is listed; the secret itself is never stored.
package struct Token: Sendable, Equatable {
    package var id: Int64
    package var accountID: Int64?
    package var scopes: Scopes
    /// The program it was made for.
    package var application: String
    package var createdAt: Int64

    package init(id: Int64, accountID: Int64?, scopes: Scopes, application: String, createdAt: Int64) {
        self.id = id
        self.accountID = accountID
        self.scopes = scopes
        self.application = application
        self.createdAt = createdAt
    }
}

/// A program that registered itself.
package struct ClientApplication: Sendable, Equatable {
    /// 0 for programs on this machine that need no registration.
    package var id: Int64
    package var clientID: String
    package var name: String
    package var website: String?
    package var redirectURIs: [String]
    package var scopes: Scopes

    package init(
        id: Int64 = 0, clientID: String = "", name: String, website: String? = nil, redirectURIs: [String] = [],
        scopes: Scopes = .all
    ) {
        self.id = id
        self.clientID = clientID
        self.name = name
        self.website = website
        self.redirectURIs = redirectURIs
        self.scopes = scopes
    }
}

/// Whom a token stands for.
package enum TokenHolder: Sendable {
    case account(Viewer)
    /// A program that speaks for nobody: it may read what is public.
    case application(Scopes)
}

/// Who is asking, and what they may do.
package struct Viewer: Sendable {
    package let account: Account
    package let scopes: Scopes
    package let application: String

    package init(account: Account, scopes: Scopes, application: String = "") {
        self.account = account
        self.scopes = scopes
        self.application = application
    }
}
