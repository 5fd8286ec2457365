import FeedTestSupport
import Foundation
import TestKit
import Testing

enum RangeSample {
    static let content = SampleBytes.make(1000)

    @Sendable static func prepare(_ server: FileServer) async throws {
        try await server.store("sample.bin", content)
        try await server.store("empty.bin", Data())
    }
}

@Suite(.hangLimit, .serialized, .fileServer(prepare: RangeSample.prepare))
struct RangeTableTests {
    private static let content = RangeSample.content

    @Test(arguments: RangeRow.all)
    func rangesAreServed(row: RangeRow) async throws { try await check([row.value], row.expected) }

    /// R68.
    @Test func twoRangeFieldsAreIgnored() async throws { try await check(["bytes=0-9", "bytes=20-29"], .whole) }

    /// - Parameter values: The values of the Range lines.
    private func check(_ values: [String], _ expected: RangeRow.Expected) async throws {
        let server = try FileServer.here()
        let plain = try await server.head("sample.bin")
        let response = try await server.get("sample.bin", values.map { "Range: " + $0 })
        #expect(response.headers["accept-ranges"] == "bytes")
        #expect(response.headers["content-length"] == String(response.body.count))
        #expect(response.headers["content-encoding"] == nil && response.headers["transfer-encoding"] == nil)
        switch expected {
        case .whole:
            #expect(response.status == 200 && response.body == Self.content)
            #expect(response.headers["content-range"] == nil)
            expectSameFields(response, plain, ["content-type"])
        case .unsatisfiable:
            #expect(response.status == 416)
            #expect(response.headers["content-range"] == "bytes */1000")
            #expect(response.body.count <= 500)
        case .parts(let ranges):
            try #require(response.status == 206)
            // Only the headers of the parts may exceed the size of the file.
            #expect(response.body.count <= 1000 + 200 * ranges.count)
            if ranges.count == 1 {
                expectSingle(response, ranges[0], plain)
            } else {
                try expectSeveral(response, ranges, plain)
            }
        }
    }

    /// The fields of a 206 that must equal those of a 200 (RFC 9110 §15.3.7).
    private func expectSameFields(_ response: RawHTTP.Response, _ plain: RawHTTP.Response, _ more: [String] = []) {
        for name in ["etag", "last-modified", "cache-control", "vary", "content-disposition"] + more {
            #expect(response.headers[name] == plain.headers[name], "\(name)")
        }
        #expect(response.headers["etag"]?.hasPrefix("\"") == true)
        #expect(response.headers["last-modified"]?.hasSuffix(" GMT") == true)
    }

    private func expectSingle(_ response: RawHTTP.Response, _ range: ClosedRange<Int>, _ plain: RawHTTP.Response) {
        expectSameFields(response, plain, ["content-type"])
        #expect(response.headers["content-range"] == "bytes \(range.lowerBound)-\(range.upperBound)/1000")
        #expect(response.headers["content-length"] == String(range.count))
        #expect(response.body == Self.content[range])
    }

    private func expectSeveral(
        _ response: RawHTTP.Response, _ ranges: [ClosedRange<Int>], _ plain: RawHTTP.Response
    ) throws {
        expectSameFields(response, plain)
        #expect(response.headers["content-range"] == nil)
        let body = try ByteRangesBody(response, lengths: ranges.map(\.count))
        let type = try #require(plain.headers["content-type"])
        #expect(
            body.parts
                == ranges.map {
                    ByteRangesBody.Part(
                        type: type, contentRange: "bytes \($0.lowerBound)-\($0.upperBound)/1000",
                        content: Data(Self.content[$0]))
                })
        #expect(Self.content.range(of: Data(body.boundary.utf8)) == nil)
    }

    /// Random with at least 60 bits (15 hexadecimal digits suffice), without characters that need quotes, and never
    /// repeated.
    @Test func boundariesAreRandom() async throws {
        let server = try FileServer.here()
        var seen: Set<String> = []
        for _ in 0..<20 {
            let response = try await server.get("sample.bin", ["Range: bytes=0-9,20-29"])
            let boundary = try ByteRangesBody(response, lengths: [10, 10]).boundary
            #expect((15...70).contains(boundary.utf8.count), "\(boundary)")
            #expect(boundary.utf8.allSatisfy { Self.boundaryCharacters.contains($0) }, "\(boundary)")
            seen.insert(boundary)
        }
        #expect(seen.count == 20)
    }

    private static let boundaryCharacters = Set(
        "0123456789ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz-_".utf8)

    @Test(arguments: ["bytes=0-9", "bytes=1000-", "bytes=0-9,20-29", nil])
    func headIgnoresRange(value: String?) async throws {
        let server = try FileServer.here()
        let whole = try await server.get("sample.bin")
        let response = try await server.head("sample.bin", value.map { ["Range: " + $0] } ?? [])
        #expect(response.status == 200 && response.body.isEmpty)
        #expect(response.headers["content-length"] == "1000" && response.headers["content-range"] == nil)
        for (name, text) in whole.headers where !["date", "x-request-id"].contains(name) {
            #expect(response.headers[name] == text, "\(name)")
        }
    }

    /// R72.
    @Test func http10RequestMayHaveARange() async throws {
        let server = try FileServer.here()
        let response = try await Wire.on(port: server.port) { wire in
            wire.send("GET /files/sample.bin HTTP/1.0\r\nRange: bytes=0-9\r\n\r\n")
            return try wire.response()
        }
        #expect(response?.status == 206 && response?.body == Self.content.prefix(10))
    }

    /// HTTP/1.0 connections are not persistent unless requested (RFC 9112 §9.3).
    @Test func http10ConnectionIsClosed() async throws {
        let server = try FileServer.here()
        let rest = try await Wire.on(port: server.port) { wire in
            wire.send("GET /files/sample.bin HTTP/1.0\r\n\r\n")
            return try wire.readToEnd()
        }
        #expect(try RawHTTP.parse(rest).body == Self.content)
    }

    /// R73.
    @Test func rangeOfAMissingFileGets404() async throws {
        let response = try await FileServer.here().get("nothing.bin", ["Range: bytes=0-9"])
        #expect(response.status == 404 && response.headers["content-range"] == nil)
    }

    /// R74–R76.
    @Test(arguments: ["bytes=0-", "bytes=-5", "bytes=0-0", "bytes=-0", "bytes=5-2"])
    func rangesOfAnEmptyFileAreIgnored(value: String) async throws {
        let response = try await FileServer.here().get("empty.bin", ["Range: " + value])
        #expect(response.status == 200 && response.body.isEmpty)
        #expect(response.headers["content-length"] == "0" && response.headers["content-range"] == nil)
    }

    /// Parts larger than the read buffer.
    @Test func largePartsAreComplete() async throws {
        let server = try FileServer.here()
        let content = SampleBytes.make(2_000_000, seed: 2)
        try await server.store("large.bin", content)
        let ranges = [1_500_000...1_999_999, 0...0, 100_000...700_000]
        let response = try await server.get("large.bin", ["Range: " + RangeRow.header(ranges)])
        let body = try ByteRangesBody(response, lengths: ranges.map(\.count))
        #expect(body.parts.map(\.content) == ranges.map { Data(content[$0]) })
        let one = try await server.get("large.bin", ["Range: bytes=999999-1600000"])
        #expect(one.body == content[999_999...1_600_000])
    }

    /// No content coding is used, so that ranges always refer to the file.
    @Test func noContentCodingIsUsed() async throws {
        let server = try FileServer.here()
        let coded = try await server.get("sample.bin", ["Accept-Encoding: gzip, br, zstd", "Range: bytes=0-9"])
        #expect(coded.status == 206 && coded.headers["content-encoding"] == nil)
        #expect(coded.body == Self.content.prefix(10))
    }

    /// The digest covers the whole file, even in a partial response (RFC 9530 §3).
    @Test(arguments: ["bytes=0-9", nil])
    func digestCoversTheWholeFile(value: String?) async throws {
        let server = try FileServer.here()
        let response = try await server.get("sample.bin", value.map { ["Range: " + $0] } ?? [])
        #expect(response.headers["repr-digest"] == Checksum.digestField(Self.content))
        #expect(response.headers["content-digest"] == nil)
    }

    /// A client that has begun to read a version receives it to the end, or is disconnected.
    @Test(arguments: [nil, "bytes=1-", "bytes=0-9,20-8388606"])
    func responseNeverMixesTwoVersions(value: String?) async throws {
        let server = try FileServer.here()
        let old = Data(repeating: 0x6F, count: 8 << 20)
        try await server.store("mixed.bin", old)
        let request = server.request("GET", "/files/mixed.bin", value.map { ["Range: " + $0] } ?? [])
        let (hasBegun, isReplaced) = (Latch(), Latch())
        let reading = Task {
            try await Wire.on(port: server.port) { wire in
                wire.send(request)
                let start = try wire.read(atLeast: 4096)
                hasBegun.open()
                try isReplaced.block()
                guard let end = start.range(of: Data("\r\n\r\n".utf8))?.upperBound else { return (Data(), 0) }
                let length = try RawHTTP.parse(start).headers["content-length"].flatMap { Int($0) } ?? 0
                let body = Data(start[end...])
                return (body + (try wire.read(atLeast: length - body.count)), length)
            }
        }
        try await hasBegun.wait()
        try await server.store("mixed.bin", Data(repeating: 0x6E, count: 8 << 20))
        isReplaced.open()
        let (body, length) = try await reading.value
        #expect(length > 8_000_000)
        // A multipart body contains a few other letters in its part headers.
        #expect(body.count { $0 == 0x6E } < 100, "received bytes of the new file")
        #expect(body.count { $0 == 0x6F } > 0)
    }
}
