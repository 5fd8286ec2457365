import Foundation
import NIOHTTP1

/// What an answer to a request for "everything from here on" means. Pure: the bytes are looked at by nobody yet.
enum RangeAnswer: Equatable {
    /// These bytes go on where the file ends. The total is the whole file's size.
    case goOn(total: Int64)
    /// The whole file comes from its start; its size where the server says so.
    case whole(total: Int64?)
    /// Everything is there already.
    case complete
    /// The file is another one now: what was fetched is worthless.
    case changed
    /// The server answers something else than was asked.
    case refused(String)

    /// - Parameters:
    ///   - offset: Where the request asked to start.
    ///   - journal: What is known of the file; `nil` on the first request.
    static func judge(status: Int, headers: HTTPHeaders, offset: Int64, journal: DownloadJournal?) -> RangeAnswer {
        if let coding = headers.first(name: "Content-Encoding"), coding.lowercased() != "identity" {
            return .refused("The server sends the file compressed")
        }
        switch status {
        case 206: return partial(headers, offset: offset, journal: journal)
        case 200: return .whole(total: headers.first(name: "Content-Length").flatMap { Int64($0) })
        case 416: return unsatisfiable(headers, offset: offset, journal: journal)
        default: return .refused("The server answered \(status)")
        }
    }

    private static func partial(_ headers: HTTPHeaders, offset: Int64, journal: DownloadJournal?) -> RangeAnswer {
        guard let range = ContentRange(headers.first(name: "Content-Range") ?? "") else {
            return .refused("The server sends a part without saying which")
        }
        if let journal, strongTag(headers) != journal.etag || range.total != journal.total { return .changed }
        guard range.first == offset, range.last == range.total - 1 else {
            return .refused("The server sends another part than was asked for")
        }
        return .goOn(total: range.total)
    }

    private static func unsatisfiable(_ headers: HTTPHeaders, offset: Int64, journal: DownloadJournal?) -> RangeAnswer {
        guard let journal else { return .refused("The server refuses to send the file") }
        let tag = headers.first(name: "ETag")
        guard offset == journal.total, tag == nil || tag == journal.etag else { return .changed }
        return .complete
    }

    /// The ETag, when it is a strong one.
    static func strongTag(_ headers: HTTPHeaders) -> String? {
        headers.first(name: "ETag").flatMap { $0.hasPrefix("\"") && $0.hasSuffix("\"") && $0.utf8.count > 2 ? $0 : nil }
    }
}

/// `bytes 0-99/1000` (RFC 9110 §14.4); an unknown total is of no use here.
struct ContentRange: Equatable {
    let first: Int64
    let last: Int64
    let total: Int64

    init?(_ text: String) {
        let words = text.split(separator: " ")
        guard words.count == 2, words[0].lowercased() == "bytes" else { return nil }
        let parts = words[1].split(separator: "/", omittingEmptySubsequences: false)
        let ends = parts[0].split(separator: "-", omittingEmptySubsequences: false)
        guard parts.count == 2, ends.count == 2, let first = Int64(ends[0]), let last = Int64(ends[1]),
            let total = Int64(parts[1]), first >= 0, first <= last, last < total
        else { return nil }
        self.first = first
        self.last = last
        self.total = total
    }
}

/// SHA-256 in a digest field (RFC 9530).
enum ReprDigest {
    /// - Returns: Lower-case hexadecimal, or `nil`.
    static func sha256(_ headers: HTTPHeaders) -> String? {
        for part in headers["Repr-Digest"].flatMap({ $0.split(separator: ",") }) {
            let pair = part.trimmingCharacters(in: .whitespaces)
            guard pair.hasPrefix("sha-256=:"), pair.hasSuffix(":") else { continue }
            guard let bytes = Data(base64Encoded: String(pair.dropFirst(9).dropLast())), bytes.count == 32 else {
                continue
            }
            return bytes.map { ($0 < 16 ? "0" : "") + String($0, radix: 16) }.joined()
        }
        return nil
    }
}
