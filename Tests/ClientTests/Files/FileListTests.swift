import FeedTestSupport
import HTTPTypes
import NIOCore
import Synchronization
import TestKit
import Testing

@testable import FeedClientKit

/// Servers whose lists of files end, or never end.
@Suite(.hangLimit)
struct FileListTests {
    private static func page(_ names: [String], hasNext: Bool) -> Response {
        let files = names.map { name in
            #"{"name":"\#(name)","size":1,"type":"text/plain","url":"/\#(name)","sha256":"","modified":"","etag":""}"#
        }
        let body = "{\"files\":[" + files.joined(separator: ",") + "]}"
        var headers: HTTPFields = [:]
        if hasNext, let link = HTTPField.Name("Link") { headers[link] = "<http://127.0.0.1/next>; rel=\"next\"" }
        return Response(status: .ok, headers: headers, body: ResponseBody(byteBuffer: ByteBuffer(string: body)))
    }

    /// Requests all files from a server whose n-th response is `page(n)`.
    private static func files(
        maximumPages: Int = FeedClient.maximumFilePages, _ page: @escaping @Sendable (Int) -> Response
    ) async throws -> (names: Result<[String], any Error>, requests: Int) {
        let requests = Atomic(0)
        let names = try await LocalServer.serving({ _ in
            page(requests.add(1, ordering: .relaxed).newValue)
        }) { port -> Result<[String], any Error> in
            let client = FeedClient(server: try ServerAddress("http://127.0.0.1:\(port)"))
            let names: Result<[String], any Error>
            do { names = .success(try await client.files(maximumPages: maximumPages).map(\.name)) } catch {
                names = .failure(error)
            }
            await client.shutdown()
            return names
        }
        return (names, requests.load(ordering: .relaxed))
    }

    @Test func allPagesAreRequested() async throws {
        let (names, requests) = try await Self.files { Self.page(["a\($0)", "b\($0)"], hasNext: $0 < 3) }
        #expect(try names.get() == ["a1", "b1", "a2", "b2", "a3", "b3"] && requests == 3)
    }

    @Test func repeatedPageEndsTheList() async throws {
        let (names, requests) = try await Self.files { Self.page(["a\($0 % 3)"], hasNext: true) }
        #expect(try names.get() == ["a1", "a2", "a0"] && requests == 4)
    }

    @Test func endlessListIsAnError() async throws {
        let (names, requests) = try await Self.files(maximumPages: 20) { Self.page(["a\($0)"], hasNext: true) }
        #expect(throws: FeedClientError.self) { try names.get() }
        #expect(requests == 20)
    }
}
