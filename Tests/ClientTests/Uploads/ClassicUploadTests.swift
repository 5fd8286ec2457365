import FeedClientKit
import FeedTestSupport
import Foundation
import HTTPTypes
import NIOCore
import Synchronization
import TestKit
import Testing

/// Files of servers with the classic dialect, which may be as old as the tutorials.
@Suite(.hangLimit)
struct ClassicUploadTests {
    /// Uploads a file to a server with a fixed response.
    private static func upload(
        _ response: String, _ content: String = "picture"
    ) async throws -> (result: Result<Entity.File, any Error>, requests: [TestHTTPServer.Request]) {
        let folder = try TemporaryFolder()
        let path = try folder.file("b c.jpg", content)
        let requests = Mutex<[TestHTTPServer.Request]>([])
        let respond: TestHTTPServer.Responder = { @Sendable request in
            requests.withLock { $0.append(request) }
            return MediaServer.json(response)
        }
        let result = try await TestHTTPServer.serving(respond) { port -> Result<Entity.File, any Error> in
            let client = FeedClient(
                server: try ServerAddress("http://127.0.0.1:\(port)"),
                credential: .classic(username: "ada", password: "secret"))
            let result: Result<Entity.File, any Error>
            do { result = .success(try await client.upload(path)) } catch { result = .failure(error) }
            await client.shutdown()
            return result
        }
        return (result, requests.withLock(\.self))
    }

    @Test func serverOfTheTutorialStoresAFile() async throws {
        let (result, requests) = try await Self.upload("<html>thanks</html>")
        let file = try result.get()
        #expect(file.name == "b c.jpg" && file.size == 7 && file.url.hasSuffix("/FileDownload.aspx?file=b%20c.jpg"))
        let request = try #require(requests.first)
        #expect(
            requests.count == 1 && request.method == .post && request.uri.string == "/FileUpload.aspx?file=b%20c.jpg")
        #expect(request.headers[.authorization] == "Basic " + Data("ada:secret".utf8).base64EncodedString())
        #expect(String(buffer: request.body).contains("filename=\"b c.jpg\""))
    }

    @Test func describedFileIsVerified() async throws {
        let file = #"{"files":[{"name":"b-2.jpg","size":7,"type":"image/jpeg","modified":"","sha256":"","url":"x"}]}"#
        #expect(try await Self.upload(file).result.get().name == "b-2.jpg")
        let shortened = try await Self.upload(file, "a longer picture").result
        let thrown = #expect(throws: FeedClientError.self) {
            _ = try shortened.get()
        }
        #expect(thrown?.code == .integrity)
    }
}
