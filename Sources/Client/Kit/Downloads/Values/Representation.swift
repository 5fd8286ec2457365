import Foundation

/// Which file it is that is being fetched: said by the first answer, carried unchanged, compared with every later one.
struct Representation: Sendable, Equatable, Codable {
    /// Bytes of the largest file; `Int64.max` is the end of one whose length is unknown.
    static let largest = Int64.max - 1

    /// Where it was found, after redirects.
    let url: String
    /// A strong ETag; without one nothing is resumed and nothing fetched in parallel.
    let tag: String?
    /// In bytes; `nil` when the server does not say.
    let total: Int64?
    /// SHA-256 of the whole (`Repr-Digest`, RFC 9530), lower-case hexadecimal.
    let digest: String?

    /// Whether parts of this one and of `other` may stand in one file.
    func isSame(as other: Representation) -> Bool {
        guard let tag, tag == other.tag, total == other.total, Self.place(url) == Self.place(other.url) else {
            return false
        }
        guard let digest, let theirs = other.digest else { return true }
        return digest == theirs
    }

    /// An address without its query, in which signatures and tokens change.
    static func place(_ url: String) -> String { (ServerAddress.origin(url) ?? url) + (URL(string: url)?.path ?? "") }
}
