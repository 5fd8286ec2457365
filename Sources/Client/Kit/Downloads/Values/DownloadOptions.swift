/// How a file is to be fetched.
public struct DownloadOptions: Sendable {
    /// Bytes that stand or fall together in the journal; `nil` for a size that fits the file.
    public var chunkSize: Int64?
    /// Connections at once; `nil` for as many (up to 8 per host) as make it faster.
    public var connections: Int?
    /// The SHA-256 the file must have, lower-case hexadecimal.
    public var sha256: String?
    /// Replaces what is there and forgets what was begun.
    public var restarts = false
    /// How often a broken connection is taken up again without progress in between.
    public var retries = 5
    /// Seconds a server may ask to wait; what takes longer is the caller's to decide.
    public var patience = 60
    /// A connection that brings nothing for so long is given up.
    public var stall = Duration.seconds(20)
    /// The disk; tests let it fail.
    var calls = FileCalls.system

    public init() {}
}
