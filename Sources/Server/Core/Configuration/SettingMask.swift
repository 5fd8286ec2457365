import Foundation

/// Hides the passwords in the value of a setting that is an address, such as `postgresql://USER:PASSWORD@HOST/DATABASE`.
enum SettingMask {
    private static let mask = Array("***".utf8)

    /// The value with `***` in place of the password of a user, and of parameters such as `password` and `token`.
    static func text(_ value: String) -> String {
        guard let start = value.utf8.firstRange(of: "://".utf8)?.upperBound else { return value }
        let rest = value.utf8[start...]
        let authority = rest.prefix { $0 != UInt8(ascii: "/") && $0 != UInt8(ascii: "?") }
        let bytes = Array(value.utf8[..<start]) + shown(authority) + parameters(rest[authority.endIndex...])
        return String(decoding: bytes, as: UTF8.self)
    }

    /// The user and the host, without the password. A password may contain unescaped `@` and `:`.
    private static func shown(_ authority: Substring.UTF8View) -> [UInt8] {
        guard let end = authority.lastIndex(of: UInt8(ascii: "@")),
            let colon = authority[..<end].firstIndex(of: UInt8(ascii: ":"))
        else { return Array(authority) }
        return Array(authority[...colon]) + mask + authority[end...]
    }

    private static func parameters(_ rest: Substring.UTF8View) -> [UInt8] {
        let path = rest.prefix { $0 != UInt8(ascii: "?") }
        let parts = rest[path.endIndex...].split(separator: UInt8(ascii: "&"), omittingEmptySubsequences: false)
        return Array(path) + parts.map(parameter).joined(separator: "&".utf8)
    }

    private static func parameter(_ part: Substring.UTF8View) -> [UInt8] {
        let name = part.prefix { $0 != UInt8(ascii: "=") }
        let word = (String(Substring(name)).removingPercentEncoding ?? "password").lowercased()
        let isSecret = ["pass", "pwd", "secret", "token"].contains { word.utf8.firstRange(of: $0.utf8) != nil }
        return isSecret && name.endIndex != part.endIndex ? Array(name) + "=".utf8 + mask : Array(part)
    }
}
