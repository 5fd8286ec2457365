/// The options of a download.
public struct DownloadOptions: Sendable {
    /// The granularity in bytes at which an interrupted download resumes; `nil` for a size that suits the file.
    public var chunkSize: Int64?
    /// The number of simultaneous connections; `nil` for up to 8 per host, as long as additional connections increase
    /// the rate.
    public var connections: Int?
    /// The expected SHA-256 of the file, in lowercase hexadecimal.
    public var sha256: String?
    /// Whether to replace an existing file and to discard an unfinished download.
    public var restarts = false
    /// The number of times a failed connection is retried without any progress in between.
    public var retries = 5
    /// The longest `Retry-After` that is honored, in seconds. If the server demands a longer wait, the download fails.
    public var maximumWait = 60
    /// The time after which a connection that receives no data is closed and replaced.
    public var stallTimeout = Duration.seconds(20)
    /// The system calls that touch the disk; tests make them fail.
    var calls = FileCalls.system

    public init() {}
}
