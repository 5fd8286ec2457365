import FeedAPI
import Foundation
import NIOHTTP1

/// Whether an answer may be kept, and how long it serves without asking again (RFC 9111 §4.2, §5.2).
struct AvatarFreshness: Equatable {
    /// Nothing is fresh longer than this (milliseconds, 30 days), whatever a server says.
    static let maximum: Int64 = 30 * 86_400_000
    /// Where a server says nothing (milliseconds, one day).
    static let standard: Int64 = 86_400_000

    /// False when the server forbids it with `no-store`.
    let isKept: Bool
    /// Milliseconds since 1970; not after the present when it must be asked each time.
    let freshUntil: Int64

    /// - Parameters:
    ///   - headers: Of a 200 or a 304.
    ///   - now: Milliseconds since 1970.
    init(_ headers: HTTPHeaders, now: Int64) {
        let directives = Self.directives(headers)
        isKept = !directives.contains { $0.name == "no-store" }
        freshUntil = now + Self.lifetime(directives, age: Self.age(headers))
    }

    /// Milliseconds from now on.
    private static func lifetime(_ directives: [Directive], age: Int64) -> Int64 {
        if directives.contains(where: { $0.name == "no-cache" }) { return 0 }
        guard let directive = directives.first(where: { $0.name == "max-age" }) else { return standard }
        return min(max(0, seconds(directive.value) - age), maximum / 1000) * 1000
    }

    /// What cannot be read means stale; more digits than fit mean very long.
    private static func seconds(_ text: String) -> Int64 {
        text.isDigits ? Int64(text) ?? .max : 0
    }

    /// How long the answer has lain in caches on the way, in seconds.
    private static func age(_ headers: HTTPHeaders) -> Int64 {
        headers.first(name: "Age").map { seconds($0.trimmingCharacters(in: .whitespaces)) } ?? 0
    }

    private struct Directive {
        let name: String
        let value: String

        init(_ text: Substring) {
            let parts = text.split(separator: "=", maxSplits: 1)
            let borders = CharacterSet(charactersIn: " \t\"")
            name = parts.first.map { $0.trimmingCharacters(in: borders).lowercased() } ?? ""
            value = parts.count < 2 ? "" : parts[1].trimmingCharacters(in: borders)
        }
    }

    private static func directives(_ headers: HTTPHeaders) -> [Directive] {
        headers["Cache-Control"].flatMap { line in parts(line).map { Directive($0) } }
    }

    /// Cut at commas, but not at those in quotes.
    private static func parts(_ line: String) -> [Substring] {
        var isQuoted = false
        return line.split { character in
            if character == "\"" { isQuoted.toggle() }
            return character == "," && !isQuoted
        }
    }
}
