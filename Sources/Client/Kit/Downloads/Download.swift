import AsyncHTTPClient
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
            try PartFileClaim(destination, of: url, restarts: options.restarts, calls: options.calls)
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
        _ url: String, _ claim: PartFileClaim, _ options: DownloadOptions,
        _ progress: @escaping @Sendable (DownloadProgress) -> Void
    ) async throws -> DownloadResult {
        guard claim.part.use() else {
            throw FeedClientError(
                .failed, "The download of \(claim.destination) has been resumed already",
                hint: "Open the unfinished download again.")
        }
        return try await Transfer(client: self, source: url, claim: claim, options: options, report: progress).run()
    }

    /// Whether the credential may be sent to a URL.
    func carriesCredential(to url: String) -> Bool { credential != nil && server.isOrigin(of: url) }

    /// A request to any URL, with the credential if the URL is on this server.
    func plainRequest(_ url: String) -> HTTPClientRequest {
        var request = HTTPClientRequest(url: url)
        request.headers.add(name: "User-Agent", value: "feedclient")
        if carriesCredential(to: url), case .token(let token) = credential {
            request.headers.add(name: "Authorization", value: "Bearer " + token)
        }
        return request
    }
}
