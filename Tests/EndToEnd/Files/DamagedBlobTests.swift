import FeedTestSupport
import Foundation
import TestKit
import Testing

/// Stored bytes that were damaged by something other than the server.
@Suite(.hangLimit)
struct DamagedBlobTests {
    private static let content = SampleBytes.make(200_000, seed: 71)

    private static func path(_ server: FileServer, _ content: Data = content) -> String {
        let hash = Checksum.sha256(content)
        return "\(server.process.data)/blobs/\(hash.prefix(2))/\(hash.dropFirst(2).prefix(2))/\(hash)"
    }

    private static func change(_ path: String, _ body: (FileHandle) throws -> Void) throws {
        let file = try FileHandle(forUpdating: URL(fileURLWithPath: path))
        try body(file)
        try file.close()
    }

    @Test func storingTheSameBytesAgainRepairsTheBlob() async throws {
        let server = try await FileServer.start()
        try await server.store("a.bin", Self.content)
        for form in [false, true] {
            try Self.change(Self.path(server)) {
                try $0.seek(toOffset: 1000)
                try $0.write(contentsOf: Data([Self.content[1000] ^ 1]))
            }
            #expect(try await server.get("a.bin").body != Self.content)
            if form {
                let response = try await RawHTTP.send(
                    port: server.port, "POST", "/files",
                    headers: [FileServer.authorization(server.ada), "Content-Type: " + MultipartForm.type],
                    body: MultipartForm.whole([MultipartForm.file("b.bin", Self.content)]))
                #expect(response.status == 201)
            } else {
                try await server.store("a.bin", Self.content)
            }
            #expect(try await server.get("a.bin").body == Self.content)
        }
    }

    /// GET and HEAD agree, and the log names the file.
    @Test(arguments: ["missing", "empty", "short", "long"])
    func damagedBlobIsNotServed(damage: String) async throws {
        let server = try await FileServer.start()
        try await server.store("pic ture.bin", Self.content)
        let path = Self.path(server)
        switch damage {
        case "missing": try FileManager.default.removeItem(atPath: path)
        case "empty": try Self.change(path) { try $0.truncate(atOffset: 0) }
        case "short": try Self.change(path) { try $0.truncate(atOffset: 199_999) }
        default: try Self.change(path) { try $0.truncate(atOffset: 200_001) }
        }
        for headers in [[], ["Range: bytes=0-9"], ["Range: bytes=0-9,20-29"]] {
            let (get, head) = (
                try await server.get("pic ture.bin", headers), try await server.head("pic ture.bin", headers)
            )
            #expect(get.status == 500 && head.status == 500, "\(headers): \(get.status) \(head.status)")
            #expect(get.text.contains("stored file is damaged") && !get.text.contains("blobs/"))
        }
        // Responses that need no bytes are unaffected.
        let tag = "\"" + Checksum.sha256(Self.content).prefix(32) + "\""
        #expect(try await server.get("pic ture.bin", ["If-None-Match: " + tag]).status == 304)
        try await Wait.until("the name and the blob are logged") {
            server.process.log.contains("pic ture.bin") && server.process.log.contains(Checksum.sha256(Self.content))
        }
        try await server.process.stop()
    }

    /// Truncating a file while it is sent ends the connection, without a busy loop.
    @Test func truncatingAFileEndsTheResponse() async throws {
        let server = try await FileServer.start()
        let content = SampleBytes.make(64 << 20, seed: 72)
        try await server.store("large.bin", content)
        let wire = try RawHTTP.connect(port: server.port)
        let request = server.request("GET", "/files/large.bin", [])
        _ = request.withUnsafeBytes { send(wire, $0.baseAddress, $0.count, Int32(MSG_NOSIGNAL)) }
        var block = [UInt8](repeating: 0, count: 65_536)
        #expect(recv(wire, &block, block.count, 0) > 0)
        try Self.change(Self.path(server, content)) { try $0.truncate(atOffset: 100_000) }
        let before = try Self.processorTime(server.process.processID)
        let received =
            try await withCheckedThrowingContinuation { continuation in
                DispatchQueue.global().async {
                    var (total, block) = (0, [UInt8](repeating: 0, count: 65_536))
                    while true {
                        let count = recv(wire, &block, block.count, 0)
                        if count <= 0 { return continuation.resume(returning: total) }
                        total += count
                    }
                }
            } as Int
        close(wire)
        #expect(received < content.count)
        let spent = try Self.processorTime(server.process.processID) - before
        // A busy loop would occupy a CPU until the client disconnects.
        #expect(spent < 500, "\(spent) hundredths of a second")
        #expect(try await RawHTTP.send(port: server.port, "GET", "/health").status == 200)
    }

    /// The CPU time in hundredths of a second.
    private static func processorTime(_ process: Int32) throws -> Int {
        let text = try String(contentsOfFile: "/proc/\(process)/stat", encoding: .utf8)
        let fields = text.split(separator: ")").last?.split(separator: " ") ?? []
        return (Int(fields[11]) ?? 0) + (Int(fields[12]) ?? 0)
    }
}
