extension SearchQuery {
    /// The maximum number of terms and facts; what follows them is ignored.
    package static let maximumTerms = 40
    /// The minimum number of characters before `*`; fewer are a word.
    package static let minimumPrefix = 3

    /// Parses words, `wor*`, `"a phrase"`, `-excluded` and operators such as `from:name`. Everything is understood:
    /// operators with unknown names and values are words.
    package init(_ text: String) {
        var rest = text.unicodeScalars[...]
        while terms.count + facts.count < Self.maximumTerms, let part = Part.next(in: &rest) {
            if part.isQuoted || !addOperator(part) { addTerms(part) }
        }
    }

    /// The first part of a text that looks like an operator but has an unknown value, so that it is searched for as words.
    package static func unknownOperator(in text: String) -> String? {
        var (rest, query) = (text.unicodeScalars[...], SearchQuery())
        while let part = Part.next(in: &rest) {
            guard !part.isQuoted, let (name, value) = part.operation, !value.isEmpty, operators.contains(name),
                !query.addOperator(part)
            else { continue }
            return String(Substring(part.text))
        }
        return nil
    }

    private static let operators: Set<String> = ["from", "has", "is", "language", "before", "after"]

    private mutating func addTerms(_ part: Part) {
        for kind in Self.kinds(part) {
            let term = Term(kind, isExcluded: part.isExcluded)
            if !terms.contains(term) { terms.append(term) }
        }
    }

    /// The text that a word or a phrase looks for. A single character of a script without spaces begins a token; if other tokens
    /// precede it, both are looked for.
    private static func kinds(_ part: Part) -> [Term.Kind] {
        var words = SearchTokenizer.words(of: String(Substring(part.text)))
        if words.last?.form == .end { words.removeLast() }
        guard let last = words.last else { return [] }
        let begins =
            part.text.last == "*" && !part.isQuoted && last.form == .word
            && last.token.unicodeScalars.count >= minimumPrefix
        guard begins || last.form == .single, words.count == 1 || !part.isExcluded else { return [kind(words[...])] }
        let first = words.dropLast()
        return (first.isEmpty ? [] : [kind(first)]) + [.prefix(last.token)]
    }

    private static func kind(_ words: ArraySlice<SearchTokenizer.Word>) -> Term.Kind {
        let tokens = words.map(\.token)
        return tokens.count == 1 ? .word(tokens[0]) : .phrase(tokens)
    }

    /// - Returns: Whether the part is an operator with a value that it knows.
    private mutating func addOperator(_ part: Part) -> Bool {
        guard let (name, value) = part.operation else { return false }
        if name == "before" || name == "after" {
            return addTime(value, isBefore: (name == "before") != part.isExcluded, isDayIncluded: part.isExcluded)
        }
        guard let kind = Fact.Kind(name, value) else { return false }
        let fact = Fact(kind, isExcluded: part.isExcluded)
        if !facts.contains(fact) { facts.append(fact) }
        return true
    }

    /// - Parameter isDayIncluded: Whether a date without a time stands for the status of that day, too.
    private mutating func addTime(_ value: String, isBefore: Bool, isDayIncluded: Bool) -> Bool {
        guard var time = ISO8601.milliseconds(written: value) else { return false }
        let isDay = value.utf8.count == "2026-01-31".utf8.count
        if isDay, isBefore == isDayIncluded { time += 86_400_000 }
        if isBefore {
            before = min(before ?? time, time)
        } else {
            after = max(after ?? time, time)
        }
        return true
    }
}

extension SearchQuery.Fact.Kind {
    fileprivate init?(_ name: String, _ value: String) {
        let lowercased = value.lowercased()
        switch name {
        case "from":
            guard let handle = AccountHandle(value) else { return nil }
            self = lowercased == "me" ? .fromMe : .from(handle)
        case "has":
            guard let attachment = SearchQuery.Attachment(rawValue: lowercased) else { return nil }
            self = .has(attachment)
        case "is":
            guard let property = SearchQuery.Property(rawValue: lowercased) else { return nil }
            self = .is(property)
        case "language":
            guard Self.isLanguage(lowercased) else { return nil }
            self = .language(lowercased)
        default: return nil
        }
    }

    /// Whether a text looks like a language tag (BCP 47).
    private static func isLanguage(_ text: String) -> Bool {
        let parts = text.utf8.split(separator: UInt8(ascii: "-"), omittingEmptySubsequences: false)
        guard parts.count <= 4, let first = parts.first, first.count == 2 || first.count == 3 else { return false }
        return first.allSatisfy(isLetter)
            && parts.allSatisfy { (1...8).contains($0.count) && $0.allSatisfy { isLetter($0) || isDigit($0) } }
    }

    private static func isLetter(_ byte: UInt8) -> Bool { (UInt8(ascii: "a")...UInt8(ascii: "z")).contains(byte) }

    private static func isDigit(_ byte: UInt8) -> Bool { (UInt8(ascii: "0")...UInt8(ascii: "9")).contains(byte) }
}

/// A part of a query: a phrase in quotes, or what stands between spaces.
private struct Part {
    let text: Substring.UnicodeScalarView
    let isQuoted: Bool
    let isExcluded: Bool

    /// The lowercase text before the first colon, and the text after it; `nil` without a colon.
    var operation: (name: String, value: String)? {
        guard let colon = text.firstIndex(where: { $0 == ":" }) else { return nil }
        return (Substring(text[..<colon]).lowercased(), String(Substring(text[text.index(after: colon)...])))
    }

    /// Takes the first part of a query.
    /// - Returns: `nil` if there is none.
    static func next(in rest: inout Substring.UnicodeScalarView) -> Part? {
        rest = rest.drop { $0.properties.isWhitespace }
        guard let first = rest.first else { return nil }
        let isExcluded = first == "-"
        if isExcluded { rest = rest.dropFirst() }
        let isQuoted = rest.first.map(isQuote) == true
        if isQuoted { rest = rest.dropFirst() }
        let text = rest.prefix { isQuoted ? !isQuote($0) : !$0.properties.isWhitespace }
        rest = rest[text.endIndex...]
        if isQuoted { rest = rest.dropFirst() }
        return Part(text: text, isQuoted: isQuoted, isExcluded: isExcluded)
    }

    /// Keyboards of telephones replace plain quotes with typographic ones.
    private static func isQuote(_ scalar: Unicode.Scalar) -> Bool {
        switch scalar {
        case "\"", "“", "”", "„": true
        default: false
        }
    }
}
