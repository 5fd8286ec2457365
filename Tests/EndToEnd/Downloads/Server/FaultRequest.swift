import Foundation

/// A request for the file as a fault server reads it. Faults may change it before the answer is made.
struct FaultRequest: Sendable {
    /// Counts the requests for the file, from 1.
    var number: Int
    /// Counts the requests that start behind the first byte, from 1; 0 for another.
    var resumed: Int
    /// Requests that are being answered besides this one.
    var busy = 0
    /// 0 for the address the client was given, 1 for the other one.
    var origin: Int
    var method: String
    var path: String
    /// Lower-case names.
    var headers: [String: String]
    /// What it asks for; `nil` for everything.
    var range: Range?

    struct Range: Sendable, Equatable {
        var first: Int
        /// `nil` for the end of the file.
        var last: Int?
    }

    /// - Parameter head: The lines up to the empty one.
    init?(head: String, origin: Int) {
        var lines = head.components(separatedBy: "\r\n")
        let words = lines.removeFirst().split(separator: " ")
        guard words.count == 3 else { return nil }
        (number, resumed, self.origin) = (0, 0, origin)
        (method, path) = (String(words[0]), String(words[1]))
        headers = [:]
        for line in lines {
            let parts = line.split(separator: ":", maxSplits: 1)
            if parts.count == 2 { headers[parts[0].lowercased()] = parts[1].trimmingCharacters(in: .whitespaces) }
        }
        range = headers["range"].flatMap(Self.range)
    }

    private static func range(_ text: String) -> Range? {
        guard text.hasPrefix("bytes="), !text.contains(",") else { return nil }
        let ends = text.dropFirst(6).split(separator: "-", omittingEmptySubsequences: false)
        guard ends.count == 2, let first = Int(ends[0]) else { return nil }
        return Range(first: first, last: Int(ends[1]))
    }
}
