import FeedCore

/// A text of the rules below the pages, which are the same for programs and phrase it in English. `{}` stands for a value.
struct Translation: Sendable {
    let english: String
    let german: String
    let chinese: String
    /// The English text around the values.
    private let parts: [[UInt8]]

    init(_ english: String, _ german: String, _ chinese: String) {
        (self.english, self.german, self.chinese) = (english, german, chinese)
        parts = Self.split(english)
    }

    /// All texts that are known.
    static let all = refusals + uploads + others

    /// The values in a text.
    /// - Returns: `nil` if it is another text.
    func values(in text: [UInt8]) -> [String]? {
        guard let first = parts.first, let last = parts.last, text.starts(with: first) else { return nil }
        guard parts.count > 1 else { return text.count == first.count ? [] : nil }
        var (values, rest) = ([String](), text[first.count...])
        for part in parts.dropFirst().dropLast() {
            guard let range = rest.firstRange(of: part) else { return nil }
            values.append(String(decoding: rest[..<range.lowerBound], as: UTF8.self))
            rest = rest[range.upperBound...]
        }
        guard rest.count >= last.count, rest.suffix(last.count).elementsEqual(last) else { return nil }
        return values + [String(decoding: rest.dropLast(last.count), as: UTF8.self)]
    }

    /// Puts values into a text.
    static func fill(_ text: String, with values: [String]) -> String {
        var result: [UInt8] = []
        for (index, part) in split(text).enumerated() {
            if index > 0, index <= values.count { result += Array(values[index - 1].utf8) }
            result += part
        }
        return String(decoding: result, as: UTF8.self)
    }

    private static func split(_ text: String) -> [[UInt8]] {
        var (parts, rest) = ([[UInt8]](), Array(text.utf8)[...])
        while let range = rest.range(of: "{}") {
            parts.append(Array(rest[..<range.lowerBound]))
            rest = rest[range.upperBound...]
        }
        return parts + [Array(rest)]
    }
}

extension PageText {
    /// A text of the rules in the language of the page, or as it is if it is not known.
    func translated(_ text: String) -> String {
        guard language != .english else { return text }
        let plain = FeedError(.invalid, text).plainMessage
        let bytes = Array(plain.utf8)
        for translation in Translation.all {
            guard let values = translation.values(in: bytes) else { continue }
            let pattern = language == .german ? translation.german : translation.chinese
            return Translation.fill(pattern, with: values)
        }
        return plain
    }

    /// An error with its hint, in sentences.
    func message(_ error: FeedError) -> String { sentences(error.forClients.message, error.forClients.hint) }

    /// The same without the prefix that clients of the Mastodon API expect.
    func plainMessage(_ error: FeedError) -> String {
        sentences(error.forClients.plainMessage, error.forClients.hint)
    }

    private func sentences(_ message: String, _ hint: String?) -> String {
        [message, hint].compactMap(\.self).map(translated).joined(separator: sentenceSeparator)
    }
}
