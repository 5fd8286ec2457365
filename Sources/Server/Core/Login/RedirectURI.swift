import Foundation

/// The rules for OAuth redirect URIs.
package enum RedirectURI {
    /// Displays the code to the user instead of redirecting.
    package static let outOfBand = "urn:ietf:wg:oauth:2.0:oob"

    /// Whether an application may register the URI: an absolute URI without a fragment (RFC 6749 §3.1.2). Only
    /// characters allowed by RFC 3986 are accepted, because the URI is sent in a header, and no scheme that executes
    /// code in a browser.
    package static func isAcceptable(_ text: String) -> Bool {
        let scheme = Substring(text.utf8.prefix { $0 != UInt8(ascii: ":") })
        guard text.utf8.count <= 2000, text.utf8.allSatisfy(isPlain), scheme.utf8.count < text.utf8.count - 1,
            scheme.first?.isLetter == true,
            scheme.utf8.allSatisfy({ Username.isLetter($0) && $0 != 0x5F || [0x2B, 0x2D, 0x2E].contains($0) })
        else { return false }
        let name = scheme.lowercased()
        if name == "http" || name == "https" { return isWeb(text.dropFirst(scheme.count)) }
        return !["javascript", "data", "vbscript", "file", "blob", "about"].contains(name)
    }

    /// Whether `requested` matches the `registered` URI. They must be identical, but the port of a loopback URI
    /// may differ, because native applications listen on an ephemeral port (RFC 8252 §7.3).
    package static func matches(_ requested: String, registered: String) -> Bool {
        // `==` takes the Kelvin sign for the letter K.
        if requested.utf8.elementsEqual(registered.utf8) { return true }
        guard isAcceptable(requested), let one = loopback(requested), let other = loopback(registered) else {
            return false
        }
        return one == other
    }

    /// Appends query items, such as the code or an error, to a redirect URI.
    package static func adding(_ values: [(name: String, value: String)], to address: String) -> String {
        let query = values.map { $0.name + "=" + escaped($0.value) }.joined(separator: "&")
        return address + (address.contains("?") ? "&" : "?") + query
    }

    /// The host, and the path and query without the port, if `text` is a loopback URI.
    private static func loopback(_ text: String) -> [Substring]? {
        let scheme = "http://"
        guard text.lowercased().hasPrefix(scheme) else { return nil }
        let rest = text.dropFirst(scheme.count)
        let authority = rest.prefix { $0 != "/" && $0 != "?" }
        for host in ["127.0.0.1", "localhost", "[::1]"] where authority.hasPrefix(host) {
            let port = authority.dropFirst(host.count)
            guard port.isEmpty || port.first == ":" && port.dropFirst().allSatisfy(\.isNumber) else { return nil }
            return [authority.prefix(host.count), rest.dropFirst(authority.count)]
        }
        return nil
    }

    /// Whether the text starts with `://HOST`. User information is refused because it can disguise the host.
    private static func isWeb(_ text: Substring) -> Bool {
        guard text.hasPrefix("://") else { return false }
        let authority = text.dropFirst(3).prefix { $0 != "/" && $0 != "?" }
        return !authority.isEmpty && !authority.contains("@")
    }

    private static func isPlain(_ byte: UInt8) -> Bool {
        (0x21...0x7E).contains(byte) && !"\"#<>\\^`{|}".utf8.contains(byte)
    }

    private static func escaped(_ text: String) -> String {
        text.addingPercentEncoding(withAllowedCharacters: unreserved) ?? ""
    }

    private static let unreserved = CharacterSet(
        charactersIn: "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789-._~")
}
