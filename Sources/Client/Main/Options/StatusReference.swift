import FeedClientKit
import Foundation

/// A reference to a status, as a user enters it: its id, the end of its id, its URL, or its number in a listing.
enum StatusReference {
    /// Shorter words are numbers of a listing, and never the end of an id.
    private static let minimumSuffix = 4
    /// Ids that machines count or derive from the time are longer than this, and so are the words that name them in full.
    private static let maximumSuffix = 14

    /// The id of a status, given the id itself or the URL of the status on `server`.
    /// - Throws: ``FeedClientError`` `.usage` if the text is neither.
    static func id(_ text: String, on server: ServerAddress) throws(FeedClientError) -> String {
        guard text.contains("://") else { return try checked(text, text) }
        guard server.isOrigin(of: text) else {
            throw FeedClientError(
                .usage, "\"\(text)\" is not on \(server)",
                hint: "Choose its server with --server, or enter only its id.")
        }
        return try checked(URL(string: text)?.lastPathComponent ?? "", text)
    }

    private static func checked(_ id: String, _ text: String) throws(FeedClientError) -> String {
        guard !id.isEmpty, id != "/" else { throw unidentified(text) }
        return id
    }

    private static func unidentified(_ text: String) -> FeedClientError {
        FeedClientError(
            .usage, "\"\(text)\" does not identify a status",
            hint: "Enter its id or its address, as feedclient post prints it.")
    }

    /// The status that a word refers to: its id, the end of its id, its URL, or its number in the last listing.
    ///
    /// Up to the length of the listing, a number is a position; beyond it, it is the end of an id.
    /// - Parameters:
    ///   - listing: The ids of the last listing of this account on this terminal; `nil` without a terminal.
    ///   - stored: The ids that are known otherwise and have an ending.
    /// - Throws: ``FeedClientError`` `.usage` if the text refers to no status, or to several.
    static func resolve(
        _ text: String, on server: ServerAddress, listing: [String]?,
        stored: (_ ending: String) async -> [String]
    ) async throws(FeedClientError) -> ReferencedStatus {
        let id = try id(text, on: server)
        guard id == text else { return ReferencedStatus(id: id, isNumber: false) }
        guard isPossibleID(text) else { throw unidentified(text) }
        if let number = number(text) {
            if let listing, number <= listing.count {
                return ReferencedStatus(id: listing[number - 1], isNumber: true)
            }
            guard text.utf8.count >= minimumSuffix else { throw noSuchNumber(text, listing) }
        }
        guard (minimumSuffix...maximumSuffix).contains(text.utf8.count) else {
            return ReferencedStatus(id: text, isNumber: false)
        }
        let known = Set((listing ?? []) + (await stored(text)))
        return ReferencedStatus(id: try only(text, of: known), isNumber: false)
    }

    /// Whether a word may be an id: of letters, digits, `-` and `_`, with a digit, as every kind of server makes them.
    private static func isPossibleID(_ text: String) -> Bool {
        let characters = text.unicodeScalars
        return characters.contains(where: isDigit)
            && characters.allSatisfy {
                isDigit($0) || $0.isASCII && $0.properties.isAlphabetic || $0 == "-" || $0 == "_"
            }
    }

    private static func isDigit(_ character: Unicode.Scalar) -> Bool { ("0"..."9").contains(character) }

    /// A positive number without leading zeros.
    private static func number(_ text: String) -> Int? {
        let digits = text.utf8
        guard digits.count < 6, digits.first != UInt8(ascii: "0"),
            digits.allSatisfy({ (UInt8(ascii: "0")...UInt8(ascii: "9")).contains($0) })
        else { return nil }
        return Int(text)
    }

    /// The only known id with this ending, or the text itself if it is an id, or if no known id has this ending.
    private static func only(_ text: String, of known: Set<String>) throws(FeedClientError) -> String {
        guard !known.contains(text) else { return text }
        let matches = known.filter { $0.utf8.count > maximumSuffix && $0.hasSuffix(text) }
        guard matches.count < 2 else {
            throw FeedClientError(
                .usage, "Several statuses have ids that end in \(text)",
                hint: "Enter more of it: " + matches.sorted().prefix(3).joined(separator: " or ") + ".")
        }
        return matches.first ?? text
    }

    private static func noSuchNumber(_ text: String, _ listing: [String]?) -> FeedClientError {
        guard let listing else {
            return FeedClientError(
                .usage, "\(text) is a number in a listing, which only a terminal remembers",
                hint: "Enter the id of the status, or its address.")
        }
        guard !listing.isEmpty else {
            return FeedClientError(
                .usage, "No statuses of this account have been listed on this terminal, so \(text) refers to nothing",
                hint: "Read a timeline first, or enter the id of the status.")
        }
        return FeedClientError(
            .usage, "The last listing has no number \(text)",
            hint: "It has the numbers 1 to \(listing.count); see also the ids in it.")
    }
}

/// A status that a user refers to, and how.
struct ReferencedStatus: Sendable, Equatable {
    let id: String
    /// Whether the user entered its number in a listing, which is easily mistaken.
    let isNumber: Bool
}
