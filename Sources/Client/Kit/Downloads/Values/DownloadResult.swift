/// How a download ended.
public struct DownloadResult: Sendable, Equatable {
    /// What the file was checked against.
    public enum Verification: String, Sendable {
        case sha256FromCaller = "sha-256 as asked for"
        case sha256FromServer = "sha-256 from the server"
        case sizeOnly = "size only"
    }

    public let path: String
    /// In bytes.
    public let size: Int64
    public let sha256: String
    public let verification: Verification
    /// Bytes that an earlier, interrupted download had left.
    public let resumedFrom: Int64
}
