/// A finished download.
public struct DownloadResult: Sendable, Equatable {
    /// What the file was verified against.
    public enum Verification: String, Sendable {
        case sha256FromCaller = "sha-256 as asked for"
        case sha256FromServer = "sha-256 from the server"
        case sizeOnly = "size only"
    }

    public let path: String
    /// In bytes.
    public let size: Int64
    /// In lowercase hexadecimal.
    public let sha256: String
    public let verification: Verification
    /// Bytes of an earlier, interrupted download that were reused.
    public let resumedFrom: Int64
}
