import Foundation

/// A request for the file as parsed by a fault server. Faults may change it before the response is created.
struct FaultRequest: Sendable {
    /// The number of the request, counting from 1.
    var number: Int
    /// The number of the request among those that start after the first byte, counting from 1; 0 for all others.
    var resumed: Int
    /// The number of other requests in progress.
    var busy = 0
    /// 0 for the address given to the client, 1 for the other one.
    var origin: Int
    var method: String
    var path: String
    /// With lowercase names.
    var headers: [String: String]
    /// The requested range; `nil` for the whole file.
    var range: Range?

    struct Range: Sendable, Equatable {
        var first: Int
        /// `nil` for the end of the file.
        var last: Int?
    }

    /// - Parameter head: The lines of the request header, without the empty line.
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
