import AsyncHTTPClient
import FeedAPI
import Foundation
import NIOHTTP1

extension FeedClient {
    /// Downloads a file. Resumes an interrupted download of the same file to the same destination.
    ///
    /// The file appears at its destination only when it is complete and verified. An interrupted download can be
    /// resumed if the server supports ranges and sends a strong entity tag or, without any, a strong `Last-Modified`
    /// (RFC 9110 §8.8).
    /// - Parameters:
    ///   - source: The name of a file on this server, or a URL. The credential is sent to this server only.
    ///   - destination: A file or an existing folder; `nil` for the current folder. In a folder, the file gets the
    ///     name that the server gives it, or that of the source.
    ///   - options: The options of the download.
    ///   - progress: Called a few times a second.
    /// - Throws: ``FeedClientError``, with the code `.integrity` if the file is not the expected one;
    ///   `CancellationError`.
    public func download(
        _ source: String, to destination: String? = nil, options: DownloadOptions = DownloadOptions(),
        progress: @escaping @Sendable (DownloadProgress) -> Void = { _ in }
    ) async throws -> DownloadResult {
        let url = try url(of: source)
        let destination = try await self.destination(of: source, at: destination)
        let claim = try await DiskThreads.run {
            try DownloadPreparation(destination, of: url, restarts: options.restarts, calls: options.calls)
        }
        return try await transfer(url, claim, options, progress)
    }

    /// Resumes an unfinished download.
    /// - Parameters:
    ///   - download: The unfinished download. Its lock is released when this method returns, so that it can be resumed
    ///     only once; open it again for another attempt.
    ///   - options: The options of the download.
    ///   - progress: Called a few times a second.
    /// - Throws: ``FeedClientError``; `CancellationError`.
    public func resume(
        _ download: UnfinishedDownload, options: DownloadOptions = DownloadOptions(),
        progress: @escaping @Sendable (DownloadProgress) -> Void = { _ in }
    ) async throws -> DownloadResult {
        try await transfer(download.source, download.claim, options, progress)
    }

    private func transfer(
        _ url: String, _ claim: DownloadPreparation, _ options: DownloadOptions,
        _ progress: @escaping @Sendable (DownloadProgress) -> Void
    ) async throws -> DownloadResult {
        guard claim.part.use() else {
            throw FeedClientError(
                .failed, "The download of \(claim.destination) has been resumed already",
                hint: "Open the unfinished download again.")
        }
        return try await DownloadRun(client: self, source: url, claim: claim, options: options, report: progress).run()
    }

    /// Whether the credential may be sent to a URL.
    func carriesCredential(to url: String) -> Bool { credential != nil && server.isOrigin(of: url) }

    /// A request to any URL, with the credential if the URL is on this server.
    func plainRequest(_ url: String) -> HTTPClientRequest {
        var request = HTTPClientRequest(url: url)
        request.headers.add(name: "User-Agent", value: options.userAgent)
        if carriesCredential(to: url), let token = credential?.accessToken {
            request.headers.add(name: "Authorization", value: "Bearer " + token)
        }
        return request
    }
}

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
    public var stallTimeout = Duration.seconds(Timeout.seconds(20))
    /// The system calls that touch the disk; tests make them fail.
    var calls = SystemCalls.system

    public init() {}
}

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
