import FeedTestSupport
import Foundation
import TestKit
import Testing

enum ConditionSample {
    static let content = SampleBytes.make(1000, seed: 3)

    /// Waits, because the date of a file that changed in the last second or two is a weak validator (RFC 9110
    /// §8.8.2.2).
    @Sendable static func prepare(_ server: FileServer) async throws {
        try await server.store("sample.bin", content)
        try await Task.sleep(for: .milliseconds(2100))
    }
}

@Suite(.hangLimit, .serialized, .fileServer(prepare: ConditionSample.prepare))
struct ConditionTableTests {

    @Test(arguments: ConditionRow.all)
    func preconditionsAreEvaluated(row: ConditionRow) async throws {
        let server = try FileServer.here()
        let plain = try await server.head("sample.bin")
        let validators = try Validators(plain)
        let response = try await RawHTTP.send(
            port: server.port, row.method, FileServer.path("sample.bin"),
            headers: row.headers.map { validators.fill($0) })
        if row.method == "HEAD" { #expect(response.body.isEmpty) }
        switch row.expected {
        case .whole:
            #expect(response.status == 200 && response.headers["content-length"] == "1000")
            #expect(response.body == (row.method == "HEAD" ? Data() : ConditionSample.content))
            #expect(response.headers["content-range"] == nil)
        case .firstTen:
            #expect(response.status == 206 && response.headers["content-range"] == "bytes 0-9/1000")
            #expect(response.body == ConditionSample.content.prefix(10))
        case .notModified:
            #expect(response.status == 304 && response.body.isEmpty)
            #expect(response.headers["content-length"] == nil && response.headers["content-range"] == nil)
            // The same fields as in a 200 (RFC 9110 §15.4.5).
            for name in ["etag", "cache-control", "vary"] { #expect(response.headers[name] == plain.headers[name]) }
        case .preconditionFailed:
            #expect(response.status == 412 && response.headers["content-range"] == nil)
            #expect(response.body != ConditionSample.content && response.body.count <= 500)
        case .unsatisfiable:
            #expect(response.status == 416 && response.headers["content-range"] == "bytes */1000")
            #expect(response.body.count <= 500)
        }
    }

    /// C59: a missing file has no validator to compare.
    @Test(arguments: [("GET", "If-Match: \"X\""), ("GET", "If-None-Match: *"), ("HEAD", "If-Match: *")])
    func conditionalRequestForAMissingFileGets404(method: String, line: String) async throws {
        let port = try FileServer.here().port
        let response = try await RawHTTP.send(port: port, method, FileServer.path("nothing.bin"), headers: [line])
        #expect(response.status == 404)
        if method == "HEAD" { #expect(response.body.isEmpty) }
    }

    /// A file may change twice within a second, so its date is not a strong validator before that second is over.
    @Test func recentDateIsAWeakValidator() async throws {
        let server = try FileServer.here()
        for round in 0..<5 {
            try await server.store("fresh.bin", Data("round \(round)".utf8))
            let validators = try Validators(try await server.head("fresh.bin"))
            let response = try await server.get(
                "fresh.bin", ["Range: bytes=0-0", validators.fill("If-Range: {equal}")])
            // Nothing can be checked if the second has passed meanwhile.
            if Int(Date().timeIntervalSince1970) == validators.second { #expect(response.status == 200) }
        }
    }

    /// Entity tags are strong: different bytes have different tags, and identical bytes have the same tag.
    @Test func entityTagIdentifiesTheBytes() async throws {
        let server = try FileServer.here()
        var tags: [String] = []
        for content in ["one", "two", "one"] {
            let put = try await server.put("tagged.txt", Data(content.utf8))
            let tag = try #require(put.headers["etag"])
            #expect(try await server.head("tagged.txt").headers["etag"] == tag)
            tags.append(tag)
        }
        #expect(tags[0] == tags[2] && tags[0] != tags[1])
        #expect(tags.allSatisfy { $0.hasPrefix("\"") && $0.hasSuffix("\"") })
    }

    /// This error has a description, like all others.
    @Test func failedPreconditionHasADescription() async throws {
        let response = try await FileServer.here().get("sample.bin", ["If-Match: \"X\""])
        #expect(response.status == 412 && response.text.hasPrefix("{\"error\":\""))
    }

    /// The classic path shares the code path of `/files`.
    @Test(arguments: ["GET", "HEAD"])
    func classicDownloadsSupportPreconditions(method: String) async throws {
        let server = try FileServer.here()
        let validators = try Validators(try await server.head("sample.bin"))
        let target = "/FileDownload.aspx?file=sample.bin"
        for (line, status) in [
            ("If-None-Match: {E}", 304), ("If-Match: \"X\"", 412), ("If-Modified-Since: {equal}", 304),
            ("If-Match: {E}", 200),
        ] {
            let response = try await RawHTTP.send(
                port: server.port, method, target, headers: [validators.fill(line)])
            #expect(response.status == status, "\(line)")
        }
    }
}
