import FeedTestSupport
import Foundation
import HTTPTypes
import NIOCore
import Synchronization
import TestKit
import Testing

@testable import FeedClientKit

/// Timelines and files of servers with the classic dialect, which may be as old as the tutorials.
@Suite(.hangLimit)
struct ClassicDialectTests {
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

    @Test func incompleteClassicFeedsAreAccepted() throws {
        let json = """
            {"total":2,"statuses":[{"Id":"7","text":null,"createdAt":5,"user":{"Id":1.5,"name":"Ada","extra":{}}},{"Id":8,"user":null},{}]}
            """
        let feed = try ClassicFeed(json: Data(json.utf8))
        #expect(feed.statuses.map(\.id) == ["7", "8", ""])
        #expect(feed.statuses[0].text == "" && feed.statuses[0].createdAt == "5" && feed.statuses[0].user.id == "1.5")
        #expect(feed.statuses[1].user.name == "")
        #expect(try ClassicFeed(json: Data("{}".utf8)).statuses.isEmpty)
        #expect(throws: FeedClientError.self) { try ClassicFeed(json: Data("[]".utf8)) }
    }

    @Test func cityAndBadgeOfAClassicStatusAreFields() throws {
        let json = """
            {"statuses":[{"Id":1,"mbtype":"http://feed.test/badges/vip.2.png","user":{"Id":2,"name":"Ada","city":"<Hull>"}},
            {"Id":2,"mbtype":"http://feed.test/","user":{"Id":3,"name":"Bob"}}]}
            """
        let accounts = try ClassicFeed(json: Data(json.utf8)).statuses.map(\.entity.account)
        #expect(accounts[0].fields?.map(\.name) == ["city", "badge"])
        #expect(accounts[0].fields?.map(\.value) == ["&lt;Hull&gt;", "vip"])
        #expect(accounts[1].fields == [])
    }

    /// The text of a classic status is not HTML, even if a mark forms one character with a bracket or an ampersand.
    @Test(arguments: ["a <b>c</b> &lt; d", "\u{600}<script>a</script>", "<\u{301}b>\u{301} \u{600}&amp;", "a\r\nb"])
    func classicTextIsEscaped(text: String) throws {
        let json = try JSONSerialization.data(withJSONObject: ["statuses": [["Id": "1", "text": text]]])
        let content = try #require(try ClassicFeed(json: json).statuses.first).entity.content
        let lines = PlainText.from(html: content).split(separator: "\n").map { $0.trimmingCharacters(in: .whitespaces) }
        #expect(lines.joined(separator: "\r\n").unicodeScalars.elementsEqual(text.unicodeScalars), "\(content)")
    }
}
