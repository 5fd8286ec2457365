import FeedTestSupport
import Foundation
import TestKit
import Testing

@Suite(.hangLimit, .serialized, .fileServer())
struct MultipartHTTPTests {
    /// Posts a form on its own connection.
    /// - Parameters:
    ///   - pieces: The bytes per write to the socket; all at once by default.
    ///   - headers: Replaces the correct Content-Length.
    private static func post(
        _ server: FileServer, _ body: Data, type: String? = MultipartForm.type, pieces: Int? = nil,
        headers: [String]? = nil
    ) async throws -> RawHTTP.Response {
        let lines = (type.map { ["Content-Type: " + $0] } ?? []) + (headers ?? ["Content-Length: \(body.count)"])
        let head = server.request("POST", "/files", lines, as: server.ada)
        let response = try await Wire.on(port: server.port) { wire in
            // By default one write includes the head.
            if let pieces {
                wire.send(head)
                wire.send(body, pieces: pieces)
            } else {
                wire.send(head + body)
            }
            return try wire.response()
        }
        return try #require(response, "closed without a response")
    }

    /// Compares a response with a row, checks the stored files, and deletes them.
    private static func check(_ server: FileServer, _ response: RawHTTP.Response, _ row: MultipartHTTPRow) async throws
    {
        switch row.expected {
        case .refused(let statuses):
            #expect(statuses.contains(response.status), "\(response.status) \(response.text.prefix(200))")
            #expect(response.text.hasPrefix("{\"error\":\""))
            #expect(try await server.list().isEmpty)
            #expect(server.unfinished().isEmpty)
        case .stored(let files):
            try #require(response.status == 201, "\(response.status) \(response.text.prefix(200))")
            let listed = try ListedFile.list(response.body)
            // Swift strings are equal if they are canonically equivalent; stored names are bytes.
            #expect(listed.map { Array($0.name.utf8) } == files.map { Array($0.name.utf8) })
            for (file, expected) in zip(listed, files) {
                try #require(file.url.hasPrefix(server.address + "/files/"), "\(file.url)")
                let target = String(file.url.dropFirst(server.address.count))
                let got = try await RawHTTP.send(port: server.port, "GET", target)
                #expect(got.status == 200 && got.body == expected.content, "\(file.name)")
                #expect(file.size == expected.content.count && file.sha256 == Checksum.sha256(expected.content))
            }
            #expect(try await server.list().count == files.count)
            for file in listed { #expect(try await server.delete(file.name).status == 204) }
        }
    }

    @Test(arguments: MultipartHTTPRow.all)
    func formsAreStoredOrRejected(row: MultipartHTTPRow) async throws {
        let server = try FileServer.here()
        let response = try await Self.post(server, row.body, type: row.type)
        try await Self.check(server, response, row)
    }

    private static let sample = MultipartHTTPRow.all.filter { row in
        let id = row.id.prefix { $0 != " " }
        return [
            "M02", "M04", "M05", "M08", "M10", "M14", "M16", "M18", "M20", "M22", "M23", "M24b", "M26", "M46", "M49",
            "M58", "M62", "X07",
        ].contains(String(id))
    }

    @Test(arguments: sample, [1, 2, 7])
    func formsMayArriveInPieces(row: MultipartHTTPRow, pieces: Int) async throws {
        let server = try FileServer.here()
        let response = try await Self.post(server, row.body, type: row.type, pieces: pieces)
        try await Self.check(server, response, row)
    }

    private static func chunked(_ body: Data, _ size: Int) -> Data {
        var result = Data()
        for start in stride(from: 0, to: body.count, by: size) {
            let piece = body[start..<min(start + size, body.count)]
            result += Data((String(piece.count, radix: 16) + "\r\n").utf8) + piece + Data("\r\n".utf8)
        }
        return result + Data("0\r\n\r\n".utf8)
    }

    @Test(arguments: sample, [1, 9])
    func formsMayArriveInChunks(row: MultipartHTTPRow, size: Int) async throws {
        let server = try FileServer.here()
        let response = try await Self.post(
            server, Self.chunked(row.body, size), type: row.type, headers: ["Transfer-Encoding: chunked"])
        try await Self.check(server, response, row)
    }

    /// A Content-Length that is too large: the form is complete, but the request is not.
    @Test func excessiveContentLengthIsRejected() async throws {
        let server = try FileServer.here()
        let body = MultipartHTTPRow.oneBody
        let head = server.request(
            "POST", "/files", ["Content-Type: " + MultipartForm.type, "Content-Length: \(body.count + 50)"],
            as: server.ada)
        let rest = try await Wire.on(port: server.port) { wire in
            wire.send(head + body)
            wire.finishSending()
            return try wire.readToEnd()
        }
        if !rest.isEmpty { #expect(try RawHTTP.parse(rest).status == 400) }
        #expect(try await server.settled(), "\(server.unfinished())")
        #expect(try await server.list().isEmpty)
    }

    /// A Content-Length that is too small cuts the form, and the rest is not a request.
    @Test(arguments: [3, 10, 60])
    func insufficientContentLengthIsRejected(missing: Int) async throws {
        let server = try FileServer.here()
        let body = MultipartForm.whole([MultipartForm.file("x.txt", "a content of some length")])
        let length = "Content-Length: \(body.count - missing)"
        let response = try await Self.post(server, body, headers: [length])
        #expect(response.status == 400)
        #expect(try await server.list().isEmpty)
        #expect(try await server.settled(), "\(server.unfinished())")
    }

    /// The server does not decode the body, so it must not store it as plain content.
    @Test(arguments: ["gzip", "deflate", "br", "zstd", "nonsense"])
    func contentCodingIsRejected(coding: String) async throws {
        let server = try FileServer.here()
        let body = MultipartHTTPRow.oneBody
        let response = try await Self.post(
            server, body, headers: ["Content-Length: \(body.count)", "Content-Encoding: " + coding])
        #expect([400, 415].contains(response.status))
        #expect(try await server.list().isEmpty)
    }

    /// Content that resembles a delimiter, many times, but not at the very start, where it could be one.
    @Test(arguments: ["\r\n--Xb", "\r\n--XbXtail", "\r\n", "\r", "--XbX", "\r\n--XbX-"])
    func textSimilarToADelimiterIsContent(piece: String) async throws {
        let server = try FileServer.here()
        let content = "x" + String(repeating: piece, count: 10_000)
        let body = MultipartForm.whole([MultipartForm.file("x.txt", content)])
        let row = MultipartHTTPRow.stores("near", body, [("x.txt", content)])
        try await Self.check(server, try await Self.post(server, body), row)
        try await Self.check(server, try await Self.post(server, body, pieces: 1009), row)
    }

    /// Any name is either stored or rejected, without a server error.
    @Test func anyNameIsStoredOrRejected() async throws {
        let server = try FileServer.here()
        var random = SplitMix64(seed: 21)
        let scalars: [Unicode.Scalar] = [
            ".", "/", "\\", " ", "a", "%", "\u{1}", "\u{7F}", "\u{85}", "\u{301}", "\u{200D}", "\u{202E}", "\u{2066}",
            "\u{FEFF}", "\u{FFFD}", "\u{1F469}", "\u{E9}", "'", ";", "=", ":", "*", "<", "&", "\u{AD}", "\u{3000}",
            "\u{212B}", "\u{E000}", "\u{10FFFF}", "\u{FFFE}",
        ]
        for _ in 0..<300 {
            let count = Int.random(in: 1...12, using: &random)
            let picked = (0..<count).map { _ in scalars[Int.random(in: scalars.indices, using: &random)] }
            let name = String(String.UnicodeScalarView(picked))
            let response = try await Self.post(server, MultipartForm.whole([MultipartForm.file(name, "v")]))
            #expect([201, 400].contains(response.status), "\(name.debugDescription): \(response.status)")
            guard response.status == 201 else { continue }
            for file in try ListedFile.list(response.body) {
                #expect(file.name.utf8.count <= 255 && file.name.unicodeScalars.first != ".")
                #expect(try await server.get(file.name).text == "v", "\(name.debugDescription)")
                #expect(try await server.delete(file.name).status == 204, "\(name.debugDescription)")
            }
        }
        #expect(try await server.list().isEmpty)
    }

    /// Names from clients cannot inject headers.
    @Test func namesAreSafeInHeaders() async throws {
        let server = try FileServer.here()
        for name in ["a\"b;c=%41.txt", "\u{65E5}\u{672C}\u{8A9E}.txt", "a'b*c.txt"] {
            try await server.store(name, Data("v".utf8))
            let response = try await server.get(name)
            let disposition = try #require(response.headers["content-disposition"])
            #expect(disposition.utf8.allSatisfy { (0x20..<0x7F).contains($0) }, "\(disposition)")
            #expect(disposition.count { $0 == "\"" } == 2, "\(disposition)")
            #expect(try await server.delete(name).status == 204)
        }
    }

    /// Active content is served only as an attachment, whatever type the client claims.
    @Test(arguments: [
        ("<script>alert(1)</script>", "image/png"), ("<svg onload=alert(1)>", "text/plain"), ("%PDF-1.7", "text/plain"),
        ("<?xml version=\"1.0\"?><x/>", "image/jpeg"),
    ])
    func activeContentIsServedAsAnAttachment(content: String, claimed: String) async throws {
        let server = try FileServer.here()
        let part = MultipartForm.part(MultipartHTTPRow.disposition + "⏎Content-Type: " + claimed, content)
        let file = try #require(
            try ListedFile.list(try await Self.post(server, MultipartForm.whole([part])).body).first)
        #expect(file.type != claimed)
        let response = try await server.get(file.name)
        #expect(response.headers["content-disposition"]?.hasPrefix("attachment") == true)
        #expect(response.headers["x-content-type-options"] == "nosniff")
        #expect(response.headers["content-security-policy"]?.contains("sandbox") == true)
        #expect(try await server.delete(file.name).status == 204)
    }

    /// Sizes that exceed 32 bits work. Only in the full run, because this takes time and disk space.
    @Test(.enabled(if: Soak.isEnabled, "2 GiB: set FEED_FULL=1"))
    func partMayExceedTwoGibibytes() async throws {
        let server = try FileServer.here()
        let lead = Data("--XbX\r\n".utf8) + MultipartForm.file("huge.bin", Data())
        let tail = Data("\r\n--XbX--\r\n".utf8)
        let (block, count) = (SampleBytes.make(1 << 20), 2049)
        let length = lead.count + block.count * count + tail.count
        let head = server.request(
            "POST", "/files", ["Content-Type: " + MultipartForm.type, "Content-Length: \(length)"], as: server.ada)
        let response = try await Wire.on(port: server.port) { wire in
            wire.send(head + lead)
            for _ in 0..<count { wire.send(block) }
            wire.send(tail)
            return try wire.response()
        }
        #expect(response?.status == 201)
        #expect(try await server.head("huge.bin").headers["content-length"] == String(block.count * count))
        let end = try await server.get("huge.bin", ["Range: bytes=-1048576"])
        #expect(end.body == block)
        #expect(try await server.delete("huge.bin").status == 204)
    }
}

/// All files of a form are stored or none, also on the disk.
@Suite(.hangLimit, .fileServer())
struct MultipartLeftoverTests {
    @Test func rejectedFormLeavesNothing() async throws {
        let server = try FileServer.here()
        let good = MultipartForm.file("good.bin", SampleBytes.make(300_000, seed: 31))
        let bodies = [
            MultipartForm.whole([good, MultipartForm.part("nonsense", "v")]),
            MultipartForm.whole([good, MultipartForm.file(String(repeating: "n", count: 256), "v")]),
            MultipartForm.whole([good]).dropLast(6), MultipartForm.broken(good, ""),
            MultipartForm.whole([good] + Array(repeating: MultipartForm.field("a", "v"), count: 1000)),
        ]
        for body in bodies {
            let response = try await RawHTTP.send(
                port: server.port, "POST", "/files",
                headers: [FileServer.authorization(server.ada), "Content-Type: " + MultipartForm.type], body: body)
            #expect([400, 413].contains(response.status))
        }
        #expect(try await server.list().isEmpty)
        #expect(try await server.settled(), "\(server.unfinished())")
        let collected = try await server.collect()
        #expect(collected.removed == 0 && collected.unfinished == 0, "\(collected)")
        #expect(server.blobs().isEmpty)
    }
}
