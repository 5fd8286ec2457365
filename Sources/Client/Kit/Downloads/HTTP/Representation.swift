import Foundation

/// The file that is being downloaded (a selected representation, RFC 9110 §3.2). The first response identifies it;
/// every later response must match.
struct Representation: Sendable, Equatable, Codable {
    /// The largest size of a file, in bytes. `Int64.max` is the end of a file of unknown size.
    static let maximumSize = Int64.max - 1

    /// The URL of the file, after redirects.
    let url: String
    /// A strong entity tag, or a strong `Last-Modified` where there is none. Without either, a download can neither be
    /// resumed nor use several connections.
    let validator: String?
    /// The size in bytes; `nil` if the server does not state it.
    let size: Int64?
    /// The SHA-256 of the file (`Repr-Digest`, RFC 9530), in lowercase hexadecimal.
    let sha256: String?

    /// The keys of the journal's format.
    private enum CodingKeys: String, CodingKey {
        case url
        case validator = "tag"
        case size = "total"
        case sha256 = "digest"
    }

    /// Whether the validator is an entity tag, not a time.
    var hasEntityTag: Bool { validator?.utf8.first == UInt8(ascii: "\"") }

    /// Whether bytes of both representations may be combined into one file.
    func matches(_ other: Representation) -> Bool {
        guard let validator, validator == other.validator, size == other.size,
            Self.location(of: url) == Self.location(of: other.url)
        else { return false }
        guard let sha256, let otherSHA256 = other.sha256 else { return true }
        return sha256 == otherSHA256
    }

    /// A URL without its query, because signatures and tokens in a query change.
    static func location(of url: String) -> String {
        (ServerAddress.origin(url) ?? url) + (URL(string: url)?.path ?? "")
    }
}
