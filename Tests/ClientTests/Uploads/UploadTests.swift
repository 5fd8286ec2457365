import FeedTestSupport
import Foundation
import NIOCore
import NIOHTTP1
import TestKit
import Testing

@testable import FeedClientKit

@Suite(.hangLimit)
struct UploadTests {
    private static func explained(_ error: FeedClientError, isUpload: Bool = true) throws -> FeedClientError {
        UploadFailure.explained(error, server: try ServerAddress("https://feed.example"), isUpload: isUpload)
    }

    private static func response(_ status: Int, _ body: String) -> FeedClientError {
        ErrorResponse(status: status, headers: [:], body: ByteBuffer(string: body), hadCredentials: true).error
    }

    @Test(arguments: [404, 405, 501]) func aServerWithoutFilesIsNamed(status: Int) throws {
        let error = try Self.explained(Self.response(status, "<html>not found</html>"))
        #expect(error.message == "https://feed.example does not store files" && error.status == status)
    }

    /// A quota does not become larger with time; space on the disk of the server may.
    @Test func fullDiskOfTheServerIsTemporary() {
        let body = ByteBuffer(string: #"{"error":"The server's disk is full"}"#)
        func error(_ headers: HTTPHeaders) -> FeedClientError {
            ErrorResponse(status: 507, headers: headers, body: body, hadCredentials: true).error
        }
        #expect(error([:]).code == .insufficientStorage)
        let full = error(["Retry-After": "60"])
        #expect(full.code == .tryLater && full.message == "The server's disk is full")
        #expect(full.hint == "Try again in 60 seconds.")
    }

    /// Words of the API that only mean something to programs.
    @Test func messagesAreForPeople() {
        let text = Self.response(422, #"{"error":"Validation failed: The text has 700 characters; 500 are allowed"}"#)
        #expect(text.message == "The text has 700 characters; 500 are allowed")
        let poll = Self.response(422, #"{"error":"Validation failed: Expires at is too soon"}"#)
        #expect(poll.message == "Expires at is too soon" && poll.hint?.contains("5 minutes") == true)
        let body = ByteBuffer(string: #"{"error":"Record not found"}"#)
        for (path, message) in [
            ("/api/v1/statuses/7504/favourite", "No status 7504"),
            ("/api/v1/statuses/7504", "No status 7504"), ("/api/v1/lists/7504/accounts", "No list 7504"),
            ("/api/v1/scheduled_statuses/7504", "No scheduled post 7504"), ("/api/v1/reports", "Record not found"),
        ] {
            let response = ErrorResponse(status: 404, headers: [:], body: body, hadCredentials: true, path: path)
            #expect(response.error.message == message && response.error.code == .notFound)
        }
    }

    @Test func whoeverIsNotLoggedInIsToldHowToLogIn() {
        let body = ByteBuffer(string: #"{"error":"The access token is invalid","error_description":"Send one"}"#)
        let response = ErrorResponse(status: 401, headers: [:], body: body, hadCredentials: false)
        #expect(response.error.hint == "Log in with feedclient login URL.")
    }

    @Test func theLimitOfTheServerIsStated() throws {
        let error = try Self.explained(Self.response(413, #"{"error":"The file is larger than 1024 bytes"}"#))
        #expect(error.message == "The file is larger than 1024 bytes")
        #expect(error.hint?.contains("limit of https://feed.example") == true)
    }

    @Test func theLimitOfAProxyIsNotTheServers() throws {
        let error = try Self.explained(Self.response(413, "<html>413 Request Entity Too Large</html>"))
        #expect(error.message.contains("https://feed.example, or a proxy in front of it"))
        #expect(error.status == 413)
    }

    @Test func aLostConnectionLeavesTheOutcomeOpen() throws {
        let lost = FeedClientError(.network, "The connection was lost")
        let error = try Self.explained(lost)
        #expect(
            error.message.hasPrefix("The connection was lost; ") && error.hint?.contains("feedclient files") == true)
        #expect(try Self.explained(lost, isUpload: false).message == lost.message)
        #expect(try Self.explained(Self.response(500, "")).message == "The server responded with 500")
    }

    enum Kind: CaseIterable, Sendable { case file, replacement, media }

    private static func send(
        _ path: String, _ kind: Kind, _ client: FeedClient, progress: @escaping @Sendable (Int64) -> Void
    ) async throws {
        switch kind {
        case .file: _ = try await client.upload(path, progress: progress)
        case .replacement: _ = try await client.replaceFile(with: path, name: nil, progress: progress)
        case .media: _ = try await client.uploadMedia(MediaFile(path), progress: progress)
        }
    }

    @Test(arguments: Kind.allCases) func uploadCanBeCancelled(kind: Kind) async throws {
        let listener = Sockets.make()
        defer { close(listener) }
        try Sockets.bind(listener)
        try #require(listen(listener, 5) == 0)
        let folder = try TemporaryFolder()
        // More than the buffers of a connection hold.
        let path = try folder.file("large.bin", "")
        try #require(truncate(path, 64 << 20) == 0)
        let client = FeedClient(
            server: try ServerAddress("http://127.0.0.1:\(try Sockets.port(of: listener))"),
            credential: .token("secret"))
        let (sent, report) = AsyncStream.makeStream(of: Int64.self)
        await withThrowingTaskGroup(of: Void.self) { group in
            group.addTask {
                defer { report.finish() }
                try await Self.send(path, kind, client) { report.yield($0) }
            }
            for await done in sent where done > 0 { break }
            group.cancelAll()
            await #expect(throws: CancellationError.self) { try await group.next() }
        }
        await client.shutdown()
    }
}
