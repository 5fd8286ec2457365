/// The settings with which the operator describes the server.
package struct SiteSettings: Sendable, Equatable {
    package var title = "feedserver"
    /// Plain text.
    package var text = "A feed served by feedserver."
    /// The username of the account to contact.
    package var contactAccount: String?
    package var contactEmail: String?
    package var rules: [String] = []
    /// The languages of the feed (BCP 47).
    package var languages = ["en"]
    /// The language of the pages if neither member nor browser names one: the first of ``languages`` that the pages have.
    package var pageLanguage: PageLanguage { languages.lazy.compactMap { PageLanguage(tag: $0) }.first ?? .english }

    package init() {}
}

/// A key of the configuration file that describes the site. It has no option.
package enum SiteKey: String, Sendable, CaseIterable {
    case title, description, contact, rules, languages

    private static let titleCharacters = 100
    private static let textBytes = 5000
    private static let ruleCharacters = 1000
    private static let maximumCount = 100
    private static let emailBytes = 254

    /// - Throws: ``FeedError`` `.malformed` with the line, the name and the fault.
    func read(_ value: ConfigurationValue, into site: inout SiteSettings) throws(FeedError) {
        switch self {
        case .title: site.title = try Self.line(value, rawValue, characters: Self.titleCharacters)
        case .description: site.text = try Self.block(value, rawValue)
        case .contact: try Self.contact(value, into: &site)
        case .rules:
            site.rules = try Self.texts(value, rawValue) { (value, key) throws(FeedError) in
                try Self.line(value, key, characters: Self.ruleCharacters)
            }
        case .languages: site.languages = try Self.texts(value, rawValue, Self.language)
        }
    }

    private static func contact(
        _ value: ConfigurationValue, into site: inout SiteSettings
    ) throws(FeedError) {
        for member in try value.members("contact") {
            let key = "contact." + member.name
            switch member.name {
            case "account": site.contactAccount = try account(member.value, key)
            case "email": site.contactEmail = try email(member.value, key)
            default: throw member.value.error(key, "unknown key", hint: "contact has the keys account and email.")
            }
        }
    }

    private static func texts(
        _ value: ConfigurationValue, _ key: String,
        _ read: (ConfigurationValue, String) throws(FeedError) -> String
    ) throws(FeedError) -> [String] {
        let values = try value.list(key)
        guard values.count <= maximumCount else { throw value.error(key, "must have at most \(maximumCount) elements") }
        var texts: [String] = []
        for value in values { texts.append(try read(value, key)) }
        return texts
    }

    /// A text without line breaks.
    private static func line(
        _ value: ConfigurationValue, _ key: String, characters: Int
    ) throws(FeedError) -> String {
        let text = try value.text(key)
        guard text.contains(where: { !$0.isWhitespace }), text.count <= characters,
            text.utf8.count <= characters * 16, !text.unicodeScalars.contains(where: isControl)
        else { throw value.error(key, "must be one line of 1 to \(characters) characters") }
        return text
    }

    private static func block(_ value: ConfigurationValue, _ key: String) throws(FeedError) -> String {
        let text = try value.text(key)
        guard text.utf8.count <= textBytes, !text.unicodeScalars.contains(where: { $0 != "\n" && isControl($0) }) else {
            throw value.error(key, "must be at most \(textBytes) bytes long, without control characters")
        }
        return text
    }

    private static func account(_ value: ConfigurationValue, _ key: String) throws(FeedError) -> String {
        let name = try value.text(key)
        guard (try? Username.check(name)) != nil else { throw value.error(key, "must be a username without @") }
        return name
    }

    private static func email(_ value: ConfigurationValue, _ key: String) throws(FeedError) -> String {
        let text = try value.text(key)
        let parts = text.utf8.split(separator: UInt8(ascii: "@"), omittingEmptySubsequences: false)
        let isPlain = text.utf8.allSatisfy { (0x21..<0x7F).contains($0) && !"\"<>(),:;\\?".utf8.contains($0) }
        guard parts.count == 2, parts.allSatisfy({ !$0.isEmpty }), isPlain, text.utf8.count <= emailBytes else {
            throw value.error(key, "must be an email address")
        }
        return text
    }

    private static func language(_ value: ConfigurationValue, _ key: String) throws(FeedError) -> String {
        let text = try value.text(key)
        guard LanguageTag.isValid(text) else {
            throw value.error(key, "must be language codes such as \"en\" or \"pt-BR\"")
        }
        return text
    }

    private static func isControl(_ scalar: Unicode.Scalar) -> Bool {
        scalar.value < 0x20 || (0x7F..<0xA0).contains(scalar.value) || scalar.value == 0x2028 || scalar.value == 0x2029
    }
}
