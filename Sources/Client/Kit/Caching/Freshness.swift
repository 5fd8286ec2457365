import FeedAPI
import Foundation
import NIOHTTP1

/// Whether a response may be stored, and how long it is fresh (RFC 9111 §4.2, §5.2).
struct Freshness: Equatable {
    /// The longest freshness lifetime: 30 days, in milliseconds.
    static let maximum: Int64 = 30 * 86_400_000
    /// The freshness lifetime of a picture if the server does not state one: a day, in milliseconds.
    static let picture: Int64 = 86_400_000

    /// Whether the response may be stored; `false` if it contains `no-store`.
    let isStorable: Bool
    /// The end of the freshness lifetime in milliseconds since 1970; not in the future if each use
    /// requires revalidation.
    let freshUntil: Int64

    /// - Parameters:
    ///   - headers: The headers of a 200 or 304 response.
    ///   - now: Milliseconds since 1970.
    ///   - standard: The freshness lifetime if the server does not state one, in milliseconds.
    init(_ headers: HTTPHeaders, now: Int64, standard: Int64 = picture) {
        let directives = Self.directives(headers)
        isStorable = !directives.contains { $0.name == "no-store" }
        freshUntil = now + Self.lifetime(directives, headers, now: now, standard: standard)
    }

    /// The freshness lifetime in milliseconds.
    private static func lifetime(
        _ directives: [Directive], _ headers: HTTPHeaders, now: Int64, standard: Int64
    ) -> Int64 {
        if directives.contains(where: { $0.name == "no-cache" }) { return 0 }
        guard let directive = directives.first(where: { $0.name == "max-age" }) else {
            return headers.first(name: "Expires").map { remaining(until: $0, headers, now: now) } ?? standard
        }
        return min(max(0, seconds(directive.value) - age(headers)), maximum / 1000) * 1000
    }

    /// The time until the date in Expires, measured with the clock of the server if it states the time. An invalid date,
    /// such as 0, is in the past.
    private static func remaining(until expires: String, _ headers: HTTPHeaders, now: Int64) -> Int64 {
        guard let end = HTTPDate.seconds(expires) else { return 0 }
        let sent = headers.first(name: "Date").flatMap(HTTPDate.seconds) ?? now / 1000
        return min(max(0, end.subtractingSaturating(sent).subtractingSaturating(age(headers))), maximum / 1000) * 1000
    }

    /// Parses a number of seconds. An invalid number counts as 0; a number that exceeds `Int64` is clamped.
    private static func seconds(_ text: String) -> Int64 {
        text.isDigits ? Int64(text) ?? .max : 0
    }

    /// The time that the response has spent in intermediate caches, in seconds.
    private static func age(_ headers: HTTPHeaders) -> Int64 {
        headers.first(name: "Age").map { seconds($0.trimmingCharacters(in: .whitespaces)) } ?? 0
    }

    private struct Directive {
        let name: String
        let value: String

        init(_ text: Substring) {
            let parts = text.utf8.split(separator: UInt8(ascii: "="), maxSplits: 1).map(Substring.init)
            let delimiters = CharacterSet(charactersIn: " \t\"")
            name = parts.first.map { $0.trimmingCharacters(in: delimiters).lowercased() } ?? ""
            value = parts.count < 2 ? "" : parts[1].trimmingCharacters(in: delimiters)
        }
    }

    private static func directives(_ headers: HTTPHeaders) -> [Directive] {
        headers["Cache-Control"].flatMap { line in split(line).map { Directive($0) } }
    }

    /// Splits at commas outside of quoted strings.
    private static func split(_ line: String) -> [Substring] {
        var isQuoted = false
        return line.utf8.split { byte in
            if byte == UInt8(ascii: "\"") { isQuoted.toggle() }
            return byte == UInt8(ascii: ",") && !isQuoted
        }.map(Substring.init)
    }
}
