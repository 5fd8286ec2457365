/// A finished download.
public struct DownloadResult: Sendable, Equatable {
    /// The data against which the file was verified.
    public enum Verification: String, Sendable {
        case sha256FromCaller = "sha-256 as asked for"
        case sha256FromServer = "sha-256 from the server"
        case sizeOnly = "size only"
    }

    public let path: String
    /// The size of the file in bytes.
    public let size: Int64
    /// The SHA-256 of the file in lowercase hexadecimal.
    public let sha256: String
    public let verification: Verification
    /// The number of bytes reused from an earlier, interrupted download.
    public let resumedFrom: Int64
}
