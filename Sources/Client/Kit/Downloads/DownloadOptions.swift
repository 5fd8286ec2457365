/// How a file is to be fetched.
public struct DownloadOptions: Sendable {
    /// Bytes after which the state is made durable.
    public var chunkSize: Int64 = 8 << 20
    /// The SHA-256 the file must have, lower-case hexadecimal.
    public var sha256: String?
    /// Replaces what is there and forgets what was begun.
    public var restarts = false
    /// How often a broken connection is taken up again without progress in between.
    public var retries = 5

    public init() {}
}

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

/// How far a download is.
public struct DownloadProgress: Sendable {
    /// Bytes that are there.
    public let done: Int64
    /// Bytes in all, once known.
    public let total: Int64?
    /// Bytes that were there before.
    public let base: Int64
    /// Times the connection was taken up again.
    public let retries: Int
}
