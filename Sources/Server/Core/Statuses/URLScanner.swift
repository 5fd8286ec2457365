/// Finds the end of a URL in a text: a host, an optional port, and an optional path, query and fragment.
enum URLScanner {
    /// Punctuation at the end of a path that is not part of it; U+037E is the Greek question mark.
    private static let trailing = Set(".,;\u{37E}:!?'*|~".unicodeScalars)

    /// - Parameter run: The text after the scheme, up to something that no link contains.
    /// - Returns: `nil` if the text does not begin with a host, or if it contains a username, which would be mistaken
    ///   for the host.
    static func find(in run: Substring.UnicodeScalarView) -> String.Index? {
        guard let host = endOfHost(in: run) else { return nil }
        let port = endOfPort(after: host, in: run)
        let hostOnly = port > host ? port : trimmedHost(run[..<host])
        let rest = run[port...]
        switch rest.first {
        case "/", "?", "#":
            let end = trimmed(rest)
            return end > port ? end : hostOnly
        case "@": return nil
        case ":": return rest.prefix { !isPathStart($0) }.contains("@") ? nil : hostOnly
        default: return hostOnly
        }
    }

    private static func isPathStart(_ scalar: Unicode.Scalar) -> Bool {
        scalar == "/" || scalar == "?" || scalar == "#"
    }

    private static func endOfHost(in run: Substring.UnicodeScalarView) -> String.Index? {
        if run.first == "[" {
            let end = run.dropFirst().firstIndex { !$0.properties.isASCIIHexDigit && $0 != ":" && $0 != "." }
            guard let end, run[end] == "]" else { return nil }
            return run.index(after: end)
        }
        guard let first = run.first, isAlphanumeric(first) else { return nil }
        return run.firstIndex { !isHostScalar($0) } ?? run.endIndex
    }

    private static func endOfPort(after host: String.Index, in run: Substring.UnicodeScalarView) -> String.Index {
        guard host < run.endIndex, run[host] == ":" else { return host }
        let digits = run[run.index(after: host)...].prefix { ("0"..."9").contains($0) }
        return digits.isEmpty ? host : digits.endIndex
    }

    private static func isHostScalar(_ scalar: Unicode.Scalar) -> Bool {
        isAlphanumeric(scalar) || scalar == "-" || scalar == "." || scalar == "_"
    }

    private static func isAlphanumeric(_ scalar: Unicode.Scalar) -> Bool {
        switch scalar.properties.generalCategory {
        case .uppercaseLetter, .lowercaseLetter, .titlecaseLetter, .modifierLetter, .otherLetter, .nonspacingMark,
            .spacingMark, .enclosingMark, .decimalNumber:
            true
        default: false
        }
    }

    /// The end of a host that nothing follows, without punctuation.
    private static func trimmedHost(_ host: Substring.UnicodeScalarView) -> String.Index {
        var host = host
        while let last = host.last, last == "-" || last == "." || last == "_" { host = host.dropLast() }
        return host.endIndex
    }

    /// The end of the path without trailing punctuation and without unbalanced closing brackets.
    private static func trimmed(_ path: Substring.UnicodeScalarView) -> String.Index {
        var path = path
        var open = path.count { $0 == "(" } - path.count { $0 == ")" }
        var openSquare = path.count { $0 == "[" } - path.count { $0 == "]" }
        while let last = path.last {
            if last == ")" {
                guard open < 0 else { break }
                open += 1
            } else if last == "]" {
                guard openSquare < 0 else { break }
                openSquare += 1
            } else if !trailing.contains(last) {
                break
            }
            path = path.dropLast()
        }
        return path.endIndex
    }
}
