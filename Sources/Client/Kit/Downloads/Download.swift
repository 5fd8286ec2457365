import AsyncHTTPClient
import Foundation
import NIOCore
import NIOHTTP1

/// Fetches one file: into a part file first, resumable after anything, verified before it gets its name.
struct Download {
    /// Seconds a server may ask to wait; longer waits are the caller's to decide.
    private static let patience = 10

    private enum Failure: Error { case brokenConnection(FeedClientError) }

    let client: FeedClient
    let url: String
    let destination: String
    let options: DownloadOptions
    let progress: @Sendable (DownloadProgress) -> Void

    private let file: PartFile
    private var journal: DownloadJournal?
    private var total: Int64?
    private var done: Int64 = 0
    private var base: Int64 = 0
    private var digest: String?
    private var retries = 0
    private var retriesLeft: Int
    /// As far as any attempt came: only what goes beyond it is progress.
    private var farthest: Int64 = 0
    private var committedAt = ContinuousClock.now

    /// - Throws: ``FeedClientError`` when the destination is taken or cannot be written.
    init(
        client: FeedClient, url: String, destination: String, options: DownloadOptions,
        progress: @escaping @Sendable (DownloadProgress) -> Void
    ) throws(FeedClientError) {
        guard options.restarts || access(destination, F_OK) != 0 else {
            throw FeedClientError(
                .failed, "\(destination) is there already", hint: "Name another with -o, or replace it with --restart.")
        }
        self.client = client
        self.url = url
        self.destination = destination
        self.options = options
        self.progress = progress
        file = try PartFile(destination: destination)
        retriesLeft = options.retries
    }

    mutating func run() async throws -> DownloadResult {
        if options.restarts { try file.reset() }
        take(up: file.journal(for: url))
        base = done
        farthest = done
        do {
            while !(try await attempt()) {}
        } catch {
            if done == 0 { file.discard() }
            throw error
        }
        return try await verified()
    }

    private mutating func take(up journal: DownloadJournal?) {
        self.journal = journal
        done = journal?.done ?? 0
        total = journal?.total
        digest = journal?.digest
    }

    /// One connection. Returns whether everything is there.
    private mutating func attempt() async throws -> Bool {
        do {
            return try await fetch()
        } catch Failure.brokenConnection(let error) {
            try await commit()
            if journal == nil {
                // Without a strong ETag nobody can tell whether what follows belongs to what is here.
                try file.reset()
                (done, base) = (0, 0)
            }
            guard retriesLeft > 0, (error.retryAfter ?? 0) <= Self.patience else { throw error }
            retriesLeft -= 1
            retries += 1
            let ceiling = min(30_000, 500 << min(6, max(0, options.retries - retriesLeft)))
            try await Task.sleep(for: .milliseconds((error.retryAfter ?? 0) * 1000 + Int.random(in: 0...ceiling)))
            return false
        } catch is CancellationError {
            try await commit()
            throw CancellationError()
        }
    }

    private mutating func fetch() async throws -> Bool {
        let response = try await connect()
        switch RangeAnswer.judge(
            status: Int(response.status.code), headers: response.headers, offset: done, journal: journal)
        {
        case .goOn(let total): begin(total: total, response.headers)
        case .whole(let total):
            // A file that is sent whole again although it is known is another one, or the server does not do ranges.
            try file.reset()
            (done, base, journal, digest) = (0, 0, nil, nil)
            begin(total: total, response.headers)
        case .complete: return true
        case .changed:
            guard retriesLeft > 0 else {
                throw FeedClientError(.integrity, "The file keeps changing on the server", hint: "Try again later.")
            }
            retriesLeft -= 1
            try file.reset()
            take(up: nil)
            base = 0
            return false
        case .refused(let words): throw try await refusal(response, words)
        }
        try await receive(response.body)
        return try isComplete()
    }

    private func connect() async throws -> HTTPClientResponse {
        do {
            return try await client.transport.startAny(request())
        } catch {
            throw Self.sorted(error)
        }
    }

    private mutating func begin(total: Int64?, _ headers: HTTPHeaders) {
        self.total = total
        digest = ReprDigest.sha256(headers) ?? digest
        guard let total, let tag = RangeAnswer.strongTag(headers) else { return }
        journal = DownloadJournal(url: url, etag: tag, total: total, done: done, digest: digest)
    }

    private mutating func receive(_ body: HTTPClientResponse.Body) async throws {
        var committed = done
        do {
            for try await bytes in body {
                try await take(bytes)
                guard done - committed >= options.chunkSize || ContinuousClock.now - committedAt > .seconds(1) else {
                    continue
                }
                try await commit()
                committed = done
            }
        } catch {
            throw Self.sorted(Transport.translate(error))
        }
    }

    private mutating func take(_ bytes: ByteBuffer) async throws {
        guard done + Int64(bytes.readableBytes) <= total ?? .max else {
            throw FeedClientError(.integrity, "The server sends more than it announced", hint: "Try again.")
        }
        try await file.write(bytes, at: done)
        done += Int64(bytes.readableBytes)
        if done > farthest {
            farthest = done
            retriesLeft = options.retries
        }
        progress(DownloadProgress(done: done, total: total, base: base, retries: retries))
    }

    /// A network error is one that a new connection may mend.
    private static func sorted(_ error: any Error) -> any Error {
        guard let error = error as? FeedClientError, error.code == .network else { return error }
        return Failure.brokenConnection(error)
    }

    private func isComplete() throws -> Bool {
        guard let total else { return true }
        guard done == total else {
            throw Failure.brokenConnection(
                FeedClientError(
                    .network, "The connection ended after \(done) of \(total) bytes",
                    hint: "Run the same command again to go on."))
        }
        return true
    }

    private mutating func commit() async throws {
        committedAt = .now
        guard var journal else { return }
        journal.done = done
        self.journal = journal
        try await file.commit(journal)
    }

    private func verified() async throws -> DownloadResult {
        let hash = try await file.hash(done)
        let expected = options.sha256 ?? digest
        if let expected, expected != hash {
            file.discard()
            throw FeedClientError(
                .integrity, "The file is not the one that was promised: its sha-256 is \(hash)",
                hint: options.sha256 == nil ? "Try again." : "Check the checksum, or who offers the file.")
        }
        try await file.finish(as: destination, size: done, replaces: options.restarts)
        let verification: DownloadResult.Verification =
            options.sha256 != nil ? .sha256FromCaller : digest != nil ? .sha256FromServer : .sizeOnly
        return DownloadResult(
            path: destination, size: done, sha256: hash, verification: verification, resumedFrom: base)
    }

    private func request() -> HTTPClientRequest {
        var request = client.plainRequest(url)
        request.headers.add(name: "Accept-Encoding", value: "identity")
        request.headers.add(name: "Range", value: "bytes=\(done)-")
        if let journal, done > 0 { request.headers.add(name: "If-Range", value: journal.etag) }
        return request
    }

    private func refusal(_ response: HTTPClientResponse, _ words: String) async throws -> any Error {
        guard response.status.code >= 300 else {
            return FeedClientError(.integrity, words, hint: "The server does not answer as it should; try another way.")
        }
        let error = try await client.transport.refusal(response, hadCredentials: false)
        return error.code == .network || error.code == .tryLater ? Failure.brokenConnection(error) : error
    }
}

extension FeedClient {
    /// Fetches a file; goes on where an interrupted download of the same file to the same place ended.
    /// - Parameters:
    ///   - source: A name on this server, or a web address. The credential goes to this server only.
    ///   - destination: Where to; `nil` for the source's last path segment in the current folder.
    ///   - progress: Is told how far it is.
    /// - Throws: ``FeedClientError``; `.integrity` when what came is not what was promised.
    public func download(
        _ source: String, to destination: String? = nil, options: DownloadOptions = DownloadOptions(),
        progress: @escaping @Sendable (DownloadProgress) -> Void = { _ in }
    ) async throws -> DownloadResult {
        let url = source.contains("://") ? source : address(ofFile: source)
        guard ServerAddress.origin(url) != nil, url.hasPrefix("http") else {
            throw FeedClientError(
                .failed, "\"\(source)\" is no web address", hint: "Give a name, or an http or https address.")
        }
        let destination = try Self.place(destination, for: url)
        var download = try Download(
            client: self, url: url, destination: destination, options: options, progress: progress)
        return try await download.run()
    }

    /// A folder gets the file inside it.
    private static func place(_ destination: String?, for url: String) throws(FeedClientError) -> String {
        guard let destination else { return try localName(url) }
        var isFolder: ObjCBool = false
        guard FileManager.default.fileExists(atPath: destination, isDirectory: &isFolder), isFolder.boolValue else {
            return destination
        }
        return destination + "/" + (try localName(url))
    }

    /// The last path segment, made safe for the local disk.
    static func localName(_ url: String) throws(FeedClientError) -> String {
        let segment = URL(string: url)?.lastPathComponent ?? ""
        var name = String(
            String.UnicodeScalarView(
                segment.unicodeScalars.filter { $0.value >= 0x20 && $0.value != 0x7F && $0 != "/" }))
        while name.hasPrefix(".") { name.removeFirst() }
        guard !name.isEmpty, name.utf8.count <= 240 else {
            throw FeedClientError(.failed, "The address gives no name for the file", hint: "Name it with -o PATH.")
        }
        return name
    }

    /// A request for any address; the credential goes along only to this server.
    func plainRequest(_ url: String) -> HTTPClientRequest {
        var request = HTTPClientRequest(url: url)
        request.headers.add(name: "User-Agent", value: "feedclient")
        if server.isOrigin(of: url), case .token(let token) = credential {
            request.headers.add(name: "Authorization", value: "Bearer " + token)
        }
        return request
    }
}
