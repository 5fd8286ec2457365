import FeedAPI
import FeedCore

/// A fact about a status. Its token consists of ASCII letters and digits, and the first letter is that of its kind.
enum SearchFact: Sendable, Equatable {
    case author(Int64)
    /// An account that the status mentions.
    case mentioned(Int64)
    case has(SearchQuery.Attachment)
    case `is`(SearchQuery.Property)
    case language(String)

    var token: String {
        switch self {
        case .author(let id): "f\(id)"
        case .mentioned(let id): "m\(id)"
        case .has(let attachment): "h" + attachment.rawValue
        case .is(let property): "i" + property.rawValue
        case .language(let tag): "l" + Self.letters(of: tag)
        }
    }

    /// The letters and digits of a language tag in lowercase.
    private static func letters(of tag: String) -> String {
        String(
            decoding: tag.lowercased().utf8.filter { (97...122).contains($0) || (48...57).contains($0) }, as: UTF8.self)
    }

    static func all(of status: Status, mentioned: [Int64]) -> [SearchFact] {
        var facts: [SearchFact] = [.author(status.account.id)] + mentioned.map { .mentioned($0) }
        facts += attachments(of: status).map { .has($0) }
        // The id of the parent is lost when that is deleted.
        if status.inReplyToID != nil || status.inReplyToAccountID != nil { facts.append(.is(.reply)) }
        if status.sensitive { facts.append(.is(.sensitive)) }
        return facts + languages(of: status).map { .language($0) }
    }

    private static func attachments(of status: Status) -> [SearchQuery.Attachment] {
        var attachments: [SearchQuery.Attachment] = status.media.isEmpty ? [] : [.media]
        let kinds = Set(status.media.map(\.kind))
        if kinds.contains(.image) { attachments.append(.image) }
        if kinds.contains(.video) || kinds.contains(.gifv) { attachments.append(.video) }
        if kinds.contains(.audio) { attachments.append(.audio) }
        if status.poll != nil { attachments.append(.poll) }
        // Quotes in the text are escaped, so that only links contain this.
        if status.content.containsBytes(of: " target=\"_blank\"") { attachments.append(.link) }
        return attachments
    }

    /// The language of a status, and for that of a dialect, the language without it.
    private static func languages(of status: Status) -> [String] {
        guard let tag = status.language, !tag.isEmpty else { return [] }
        let primary = String(Substring(tag.utf8.prefix { $0 != UInt8(ascii: "-") }))
        return primary == tag ? [tag] : [primary, tag]
    }
}

extension String {
    /// Whether the text contains another one, compared as bytes, which is faster than by characters.
    fileprivate func containsBytes(of part: StaticString) -> Bool {
        var text = self
        return text.withUTF8 { text in
            part.withUTF8Buffer { part in
                text.indices.dropLast(part.count - 1).contains {
                    text[$0] == part[0] && text[$0..<$0 + part.count].elementsEqual(part)
                }
            }
        }
    }
}
