import FeedTestSupport
import Foundation
import TestKit
import Testing

/// The content of a file before and after a write.
enum Written {
    static let old = Data("old".utf8)
    static let new = Data("new and longer".utf8)
}

@Suite(.hangLimit, .serialized, .fileServer("--max-file-size", "1MiB"))
struct WriteTableTests {
    /// The validators of a file; for a row without one, those of a reference file.
    private static func validators(_ server: FileServer, of name: String?) async throws -> Validators {
        if let name { return try Validators(try await server.head(name)) }
        try await server.store("reference.txt", Written.old)
        return try Validators(try await server.head("reference.txt"))
    }

    @Test(arguments: WriteRow.all)
    func writesRespectPreconditions(row: WriteRow) async throws {
        let server = try FileServer.here()
        let name = row.id + ".txt"
        if row.exists { try await server.store(name, Written.old) }
        let validators = try await Self.validators(server, of: row.exists ? name : nil)
        let headers = row.headers.map { validators.fill($0) }
        let response =
            try await row.method == "PUT"
            ? server.put(name, Written.new, headers) : server.delete(name, headers)
        #expect(response.status == row.status, "\(response.text)")
        let after = try await server.get(name)
        switch (row.status, row.method) {
        case (201, _), (204, "PUT"):
            #expect(after.status == 200 && after.body == Written.new)
            #expect(response.headers["etag"] == after.headers["etag"])
        case (204, _): #expect(after.status == 404 && response.body.isEmpty)
        default:
            #expect(after.status == (row.exists ? 200 : 404))
            if row.exists { #expect(after.body == Written.old) }
        }
    }

    /// W09.
    @Test func replayedWriteFailsItsPrecondition() async throws {
        let server = try FileServer.here()
        try await server.store("replay.txt", Written.old)
        let old = try #require(try await server.head("replay.txt").headers["etag"])
        #expect(try await server.put("replay.txt", Written.new, ["If-Match: " + old]).status == 204)
        #expect(try await server.put("replay.txt", Written.new, ["If-Match: " + old]).status == 412)
        // The same bytes have the same tag, so a repeated write changes nothing.
        let new = try #require(try await server.head("replay.txt").headers["etag"])
        for _ in 0..<2 {
            #expect(try await server.put("replay.txt", Written.new, ["If-Match: " + new]).status == 204)
        }
    }

    /// W10: an unreached length, an incomplete chunk, and a missing last chunk.
    @Test(arguments: [
        ("Content-Length: 300000", ""), ("Transfer-Encoding: chunked", "493e0\r\n"),
        ("Transfer-Encoding: chunked", "1388\r\n"),
    ])
    func interruptedUploadChangesNothing(framing: String, lead: String) async throws {
        let server = try FileServer.here()
        try await server.store("broken.txt", Written.old)
        let part = SampleBytes.make(5000, seed: 10)
        let blobs = server.blobs()
        for name in ["broken.txt", "never.txt"] {
            let head = server.request("PUT", "/files/" + name, [framing], as: server.ada)
            // The connection is closed at the end of the block.
            try await Wire.on(port: server.port) { wire in
                wire.send(head + Data(lead.utf8) + part)
                try Wait.block(until: "the upload has begun") { !server.unfinished().isEmpty }
            }
            #expect(try await server.settled(), "\(server.unfinished())")
        }
        #expect(try await server.get("broken.txt").body == Written.old)
        #expect(try await server.get("never.txt").status == 404)
        #expect(server.blobs() == blobs)
    }

    /// Also if the client has closed only its sending direction and can still read.
    @Test func halfClosedUploadChangesNothing() async throws {
        let server = try FileServer.here()
        let head = server.request("PUT", "/files/half.txt", ["Content-Length: 300000"], as: server.ada)
        let rest = try await Wire.on(port: server.port) { wire in
            wire.send(head + SampleBytes.make(5000, seed: 11))
            wire.finishSending()
            return try wire.readToEnd()
        }
        if !rest.isEmpty { #expect(try RawHTTP.parse(rest).status == 400) }
        #expect(try await server.settled(), "\(server.unfinished())")
        #expect(try await server.get("half.txt").status == 404)
    }

    /// W11: a request, its headers, and the status expected instead of 100.
    @Test(arguments: [
        ("PUT", "/files/expected.txt", ["Content-Length: 9"], "", 401),
        ("PUT", "/files/expected.txt", ["Content-Length: 9"], "nonsense", 401),
        ("PUT", "/files/expected.txt", ["Content-Length: 9"], "eve", 403),
        ("PUT", "/files/expected.txt", ["Content-Length: 9", "If-Match: \"X\""], "ada", 412),
        ("PUT", "/files/expected.txt", ["Content-Length: 9", "If-None-Match: *"], "ada", 412),
        ("PUT", "/files/nothing.txt", ["Content-Length: 9", "If-Match: *"], "ada", 412),
        ("PUT", "/files/expected.txt", ["Content-Length: 1048577"], "ada", 413),
        ("PUT", "/files/expected.txt", ["Content-Length: 9", "Content-Range: bytes 0-8/9"], "ada", 400),
        ("PUT", "/files/expected.txt", ["Content-Length: 9", "Upload-Complete: ?0"], "ada", 400),
        (
            "POST", "/files",
            ["Content-Length: 9", "Content-Type: multipart/form-data; boundary=B", "Tus-Resumable: 1.0.0"], "ada", 400
        ),
        ("PUT", "/files/.hidden", ["Content-Length: 9"], "ada", 400),
        ("PUT", "/files/expected.txt", ["Content-Length: 9", "Content-Digest: nonsense"], "ada", 400),
        ("POST", "/files", ["Content-Length: 9", "Content-Type: multipart/form-data; boundary=B"], "", 401),
        ("POST", "/files", ["Content-Length: 9", "Content-Type: multipart/form-data"], "ada", 400),
        ("POST", "/files", ["Content-Length: 2000000", "Content-Type: multipart/form-data; boundary=B"], "ada", 413),
    ])
    func rejectedRequestGetsNoContinue(
        method: String, target: String, headers: [String], person: String, status: Int
    ) async throws {
        let server = try FileServer.here()
        try await server.store("expected.txt", Written.old)
        let token = ["": nil, "ada": server.ada, "eve": server.eve][person] ?? person
        let head = server.request(method, target, headers + ["Expect: 100-continue"], as: token)
        let response = try await Wire.on(port: server.port) { wire in
            wire.send(head)
            return try wire.response()
        }
        #expect(response?.status == status, "\(response?.text ?? "nothing")")
        #expect(try await server.get("expected.txt").body == Written.old)
    }

    @Test func acceptedRequestGetsContinue() async throws {
        let server = try FileServer.here()
        let length = "Content-Length: \(Written.new.count)"
        let head = server.request("PUT", "/files/asked.txt", [length, "Expect: 100-continue"], as: server.ada)
        let statuses = try await Wire.on(port: server.port) { wire in
            wire.send(head)
            let first = try wire.response()?.status
            wire.send(Written.new)
            return [first, try wire.response()?.status]
        }
        #expect(statuses == [100, 201])
        #expect(try await server.get("asked.txt").body == Written.new)
    }

    /// W12: rejected before any byte of the body is read.
    @Test(arguments: ["PUT /files/large.bin", "POST /files"])
    func oversizedUploadIsRejectedUnread(request: String) async throws {
        let server = try FileServer.here()
        let words = request.split(separator: " ").map { String($0) }
        let head = server.request(
            words[0], words[1], ["Content-Length: 2000000", "Content-Type: multipart/form-data; boundary=B"],
            as: server.ada)
        let response = try await Wire.on(port: server.port) { wire in
            wire.send(head)
            return try wire.response()
        }
        #expect(response?.status == 413 && response?.text.contains("\"error\"") == true)
    }

    /// A client that sends without waiting can still read the response.
    @Test func clientThatKeepsSendingCanReadTheRejection() async throws {
        let server = try FileServer.here()
        let response = try await server.put("large.bin", SampleBytes.make(1_048_577, seed: 12))
        #expect(response.status == 413)
        #expect(try await server.get("large.bin").status == 404)
        #expect(try await server.put("largest.bin", SampleBytes.make(1_048_576, seed: 12)).status == 201)
    }

    /// W12 without a length: rejected at the limit, and the connection is not reused.
    @Test(arguments: ["PUT", "POST"])
    func chunkedUploadIsRejectedAtTheLimit(method: String) async throws {
        let server = try FileServer.here()
        let type = "Content-Type: multipart/form-data; boundary=B"
        let head = server.request(
            method, method == "PUT" ? "/files/chunked.bin" : "/files", ["Transfer-Encoding: chunked", type],
            as: server.ada)
        let start = "--B\r\nContent-Disposition: form-data; name=\"f\"; filename=\"chunked.bin\"\r\n\r\n"
        let (response, rest) = try await Wire.on(port: server.port) { wire in
            wire.send(head)
            wire.send(Self.chunk(Data(start.utf8)))
            for piece in 0..<24 {
                if !wire.send(Self.chunk(SampleBytes.make(65_536, seed: UInt64(piece)))) { break }
            }
            let response = try wire.response()
            return (response, try wire.readToEnd())
        }
        #expect(response?.status == 413)
        #expect(rest.isEmpty)
        #expect(try await server.get("chunked.bin").status == 404)
        #expect(try await server.settled(), "\(server.unfinished())")
    }

    @Test func chunksAreReassembled() async throws {
        let server = try FileServer.here()
        let content = SampleBytes.make(200_000, seed: 13)
        let head = server.request("PUT", "/files/together.bin", ["Transfer-Encoding: chunked"], as: server.ada)
        let response = try await Wire.on(port: server.port) { wire in
            wire.send(head)
            for start in stride(from: 0, to: content.count, by: 7001) {
                wire.send(Self.chunk(Data(content[start..<min(start + 7001, content.count)])))
            }
            wire.send("0\r\n\r\n")
            return try wire.response()
        }
        #expect(response?.status == 201)
        #expect(try await server.get("together.bin").body == content)
    }

    private static func chunk(_ data: Data) -> Data {
        Data((String(data.count, radix: 16) + "\r\n").utf8) + data + Data("\r\n".utf8)
    }
}
