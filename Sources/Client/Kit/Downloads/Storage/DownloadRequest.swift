/// The request of the caller. The journal stores it, so that an unfinished download can be resumed from its path alone.
struct DownloadRequest: Sendable, Equatable, Codable {
    /// The requested URL; redirects may lead to another one.
    var url: String
    /// The expected SHA-256, in lowercase hexadecimal.
    var sha256: String?
    /// Whether an existing file at the destination may be replaced.
    var replacesExisting = false

    /// The keys of the journal's format.
    private enum CodingKeys: String, CodingKey {
        case url, sha256
        case replacesExisting = "replaces"
    }
}
