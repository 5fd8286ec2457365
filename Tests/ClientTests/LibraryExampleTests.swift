import FeedTestSupport
import Foundation
import Hummingbird
import NIOCore
import Testing

@Suite(.timeLimit(.minutes(5)))
struct LibraryExampleTests {
    @Test func theExampleWorks() async throws {
        let folder = try TemporaryFolder()
        let path = folder.path + "/file.bin"
        let bytes = Array(SampleBytes.make(100_000))
        try await LocalServer.serving({ request, _ in
            guard request.uri.path.hasSuffix("/file.bin") else {
                return Response(status: .ok, body: ResponseBody(byteBuffer: ByteBuffer(string: "[]")))
            }
            return Response(
                status: .ok, headers: [.eTag: "\"v1\""], body: ResponseBody(byteBuffer: ByteBuffer(bytes: bytes)))
        }) { port in
            try await readAndDownload(from: "http://127.0.0.1:\(port)", file: "file.bin", to: path)
        }
        #expect(FileManager.default.contents(atPath: path).map { Array($0) } == bytes)
    }
}
