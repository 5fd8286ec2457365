/// How a file is downloaded.
public struct DownloadOptions: Sendable {
    /// The granularity in bytes at which an interrupted download resumes; `nil` for a size that suits the file.
    public var chunkSize: Int64?
    /// The number of simultaneous connections; `nil` for up to 8 per host, as long as more of them increase the rate.
    public var connections: Int?
    /// The expected SHA-256 of the file, in lowercase hexadecimal.
    public var sha256: String?
    /// Whether to replace an existing file and to discard an unfinished download.
    public var restarts = false
    /// How often a failed connection is retried without any progress in between.
    public var retries = 5
    /// The longest `Retry-After` that is honored, in seconds. A download that is asked to wait for longer fails.
    public var maximumWait = 60
    /// A connection that receives nothing for this long is closed and replaced.
    public var stallTimeout = Duration.seconds(20)
    /// The system calls that touch the disk; tests make them fail.
    var calls = FileCalls.system

    public init() {}
}
