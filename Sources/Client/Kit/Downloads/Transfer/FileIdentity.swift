import Foundation

/// Identifies the file that is being downloaded (a selected representation, RFC 9110 §3.2). The first response states it;
/// every later response must match.
struct FileIdentity: Sendable, Equatable, Codable {
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

    /// Whether bytes of both may be combined into one file.
    func matches(_ other: FileIdentity) -> Bool {
        guard let validator, validator == other.validator, size == other.size,
            Self.location(of: url) == Self.location(of: other.url)
        else { return false }
        guard let sha256, let otherSHA256 = other.sha256 else { return true }
        return sha256 == otherSHA256
    }

    /// The identity of a requested file: its URL with the query, but without signatures and tokens, which change.
    static func identity(of url: String) -> String {
        let items = URLComponents(string: url)?.queryItems ?? []
        let query = items.filter { !isSignature($0.name.lowercased()) }.map { "\($0.name)=\($0.value ?? "")" }
        return location(of: url) + (query.isEmpty ? "" : "?" + query.joined(separator: "&"))
    }

    /// The parameters of signed URLs of Amazon, Google, Azure and others.
    private static func isSignature(_ name: String) -> Bool {
        let words = ["signature", "sig", "token", "access_token", "expires", "policy", "key-pair-id", "hash", "hmac"]
        return words.contains(name) || ["x-amz-", "x-goog-"].contains { name.hasPrefix($0) }
            || ["se", "sp", "sv", "sr", "st", "ske", "skt", "sks", "skv", "skoid", "sktid"].contains(name)
    }

    /// A URL without its query, because signatures and tokens in a query change.
    static func location(of url: String) -> String {
        (ServerAddress.origin(url) ?? url) + (URL(string: url)?.path ?? "")
    }
}
