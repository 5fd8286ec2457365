/// What was asked for. It is kept beside an unfinished download, which can so be gone on with by its place alone.
struct DownloadOrder: Sendable, Equatable, Codable {
    /// A web address; the file's own may differ.
    var url: String
    /// The SHA-256 the file must have, lower-case hexadecimal.
    var sha256: String?
    /// Whether something that has the file's name may go.
    var replaces = false
}
