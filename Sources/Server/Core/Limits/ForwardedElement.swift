/// What one proxy reports about the request that it received. Pure.
struct ForwardedElement: Equatable {
    /// The address of the proxy's client; `nil` if it is malformed or hidden.
    var address: IPAddress?
    var isSecure = false

    /// Parses the elements of all lines of a header.
    static func parse(_ lines: [String], as header: TrustedProxies.Header) -> [ForwardedElement] {
        let elements = split(lines.joined(separator: ","), at: ",")
        return switch header {
        case .xForwardedFor: elements.map { ForwardedElement(address: node(trim($0))) }
        case .forwarded: elements.map(forwarded)
        }
    }

    /// An element of `Forwarded` (RFC 7239 §4), such as `for="[2001:db8::1]:80";proto=https`.
    private static func forwarded(_ text: String) -> ForwardedElement {
        var element = ForwardedElement()
        for pair in split(text, at: ";") {
            let parts = pair.split(separator: "=", maxSplits: 1).map { trim(String($0)) }
            guard parts.count == 2 else { continue }
            switch parts[0].lowercased() {
            case "for": element.address = node(unquote(parts[1]))
            case "proto": element.isSecure = unquote(parts[1]).lowercased() == "https"
            default: break
            }
        }
        return element
    }

    /// Parses an address with an optional port; an IPv6 address with a port is in brackets.
    private static func node(_ text: String) -> IPAddress? {
        if text.first == "[" {
            guard let end = text.firstIndex(of: "]"), isPort(text[text.index(after: end)...]) else { return nil }
            return IPAddress(text[text.index(after: text.startIndex)..<end])
        }
        guard text.contains("."), let colon = text.firstIndex(of: ":"), text[text.index(after: colon)...].first != ":",
            isPort(text[colon...])
        else { return IPAddress(text) }
        return IPAddress(text[..<colon])
    }

    /// Whether `text` is empty or a colon and a port.
    private static func isPort(_ text: Substring) -> Bool {
        text.isEmpty
            || text.first == ":" && (2...6).contains(text.utf8.count)
                && text.dropFirst().utf8.allSatisfy { (48...57).contains($0) }
    }

    /// Splits at a separator outside quoted strings.
    private static func split(_ text: String, at separator: Character) -> [String] {
        var (parts, isQuoted, isEscaped) = ([""], false, false)
        for character in text {
            if character == separator, !isQuoted {
                parts.append("")
                continue
            }
            if character == "\"", !isEscaped { isQuoted.toggle() }
            isEscaped = isQuoted && character == "\\" && !isEscaped
            parts[parts.count - 1].append(character)
        }
        return parts
    }

    private static func trim(_ text: String) -> String {
        let isBlank: (Character) -> Bool = { $0 == " " || $0 == "\t" }
        return String(String(text.drop(while: isBlank).reversed()).drop(while: isBlank).reversed())
    }

    private static func unquote(_ text: String) -> String {
        guard text.count >= 2, text.first == "\"", text.last == "\"" else { return text }
        return text.dropFirst().dropLast().filter { $0 != "\\" }
    }
}
