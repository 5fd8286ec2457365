import FeedTestSupport
import Foundation
import TestKit
import Testing

/// The responses to many requests.
struct StormReport: Sendable {
    /// The number of responses per status.
    var statuses: [Int: Int] = [:]
    /// Failures, with the seed and number to reproduce them.
    var failures: [String] = []

    mutating func add(_ other: StormReport) {
        statuses.merge(other.statuses) { $0 + $1 }
        failures += other.failures
    }
}

/// Ten thousand mutated requests of each kind over persistent connections.
@Suite(.hangLimit, .serialized, .fileServer())
struct MutationHTTPTests {
    private static let total = Soak.rounds(10_000, soaking: 1_000_000)
    private static let connections = 8

    /// Sends requests made by `spoil` on several connections.
    /// - Parameter judge: Describes what is wrong with a response, if anything.
    private static func storm(
        _ server: FileServer, fragments: [String],
        spoil: @escaping @Sendable (inout Mutator, _ number: Int) -> Data,
        judge: @escaping @Sendable (RawHTTP.Response) -> String?
    ) async throws -> StormReport {
        try await withThrowingTaskGroup(of: StormReport.self) { group in
            for seed in 1...connections {
                group.addTask {
                    try await Wire.thread {
                        work(server.port, seed, Mutator(seed: UInt64(seed), fragments: fragments), spoil, judge)
                    }
                }
            }
            return try await group.reduce(into: StormReport()) { $0.add($1) }
        }
    }

    private static func work(
        _ port: Int, _ seed: Int, _ start: Mutator, _ spoil: (inout Mutator, Int) -> Data,
        _ judge: (RawHTTP.Response) -> String?
    ) -> StormReport {
        var mutator = start
        var report = StormReport()
        let connection = KeepAlive(port: port)
        for number in 0..<total / connections {
            let request = spoil(&mutator, seed * 100_000 + number)
            var problem: String?
            do {
                let response = try connection.exchange(request)
                report.statuses[response.status, default: 0] += 1
                problem = judge(response)
            } catch {
                problem = "\(error)"
            }
            guard let problem else { continue }
            let text = String(decoding: request, as: UTF8.self).debugDescription
            report.failures.append("seed \(seed), number \(number): \(problem): \(text)")
            if report.failures.count == 5 { break }
        }
        return report
    }

    // MARK: Bodies

    /// `#` is replaced with a number, so that names differ.
    private static let bodies: [Data] = [
        MultipartForm.whole([
            MultipartForm.field("a", "v"), MultipartForm.file("x-#.txt", "hello #\r\n--Xb\r\nworld"),
        ]),
        MultipartForm.whole([
            MultipartForm.part("Content-Disposition: form-data; name=\"f\"; filename*=UTF-8''%e2%82%ac-#.txt", "v #")
        ]),
        MultipartForm.lines("preamble⏎")
            + MultipartForm.whole(
                [MultipartForm.file("C:\\a%22b\\\"c-#.txt", "\r\n\r\n #"), MultipartForm.field("b", "")], tail: " end"),
        MultipartForm.whole([
            MultipartForm.file("y-#.txt", "first #"), MultipartForm.file("\u{65E5}-#.txt", "second #"),
            MultipartForm.file("", ""),
        ]),
    ]

    private static let bodyFragments = [
        "\r\n", "\n", "\r", "\r\n\r\n", "--", "--XbX", "\r\n--XbX\r\n", "\r\n--XbX--", "\n--XbX\n", "\"", "\\\"", ";",
        "=", ":", "\u{0}", "'", "%", "%00", "; filename=\"", "; name=a", "Content-Disposition: form-data", " ",
    ]

    @Test func mutatedFormsGetValidResponses() async throws {
        let server = try FileServer.here()
        let bodies = Self.bodies.map { String(decoding: $0, as: UTF8.self) }
        let report = try await Self.storm(server, fragments: Self.bodyFragments) { mutator, number in
            let valid = mutator.one(of: bodies).replacing("#", with: String(number))
            let body = Data(mutator.mutated(Array(valid.utf8)))
            let lines = ["Content-Type: " + MultipartForm.type, "Content-Length: \(body.count)"]
            return server.request("POST", "/files", lines, as: server.ada) + body
        } judge: { response in
            [201, 400, 413].contains(response.status) ? nil : "\(response.status) \(response.text)"
        }
        #expect(report.failures.isEmpty, "\(report.failures.joined(separator: "\n"))")
        #expect(report.statuses.values.reduce(0, +) == Self.total)
        #expect(report.statuses[201, default: 0] > 0 && report.statuses[400, default: 0] > 0, "\(report.statuses)")
        try await Self.expectTidy(server)
    }

    /// No crash, no unfinished upload, and no blob without a name.
    private static func expectTidy(_ server: FileServer) async throws {
        #expect(try await server.isAlive())
        #expect(try await server.settled(), "\(server.unfinished())")
        let files = try await server.list()
        for file in files.prefix(50) {
            let response = try await server.get(file.name)
            #expect(response.status == 200 && Checksum.sha256(response.body) == file.sha256, "\(file.name)")
        }
        let collected = try await server.collect()
        #expect(collected.removed == 0 && collected.unfinished == 0, "\(collected)")
        #expect(server.blobs() == Set(files.map(\.sha256)))
    }

    // MARK: Headers

    private static let content = SampleBytes.make(1000, seed: 41)

    private static let names = [
        "Range", "If-Range", "If-None-Match", "If-Match", "If-Modified-Since", "If-Unmodified-Since",
    ]

    private static let headerFragments = [
        "-", ",", "=", "bytes=", "0-", "-0", "18446744073709551616", "\"", "W/", "*", " ", "\t", ", ", "GMT", "\u{301}",
        "\u{661}", ":", "99", "\u{0}", "\u{7F}",
    ]

    @Test func mutatedHeadersGetValidResponses() async throws {
        let server = try FileServer.here()
        for name in ["read.bin", "written.bin"] { try await server.store(name, Self.content) }
        let validators = try Validators(try await server.head("read.bin"))
        let values = [
            "bytes=0-9", "bytes=0-9,20-29, -5", "bytes=-10", "bytes=990-", "bytes=0-9223372036854775807,5-", "{E}",
            "W/{E}", "\"X\", \"a,b\", W/{E}", "*", "{equal}", "{rfc850}", "{asctime}", "{newer}",
        ].map { validators.fill($0) }
        let (ada, content) = (server.ada, Self.content)
        let report = try await Self.storm(server, fragments: Self.headerFragments) { mutator, number in
            let lines = Self.lines(&mutator, values)
            // Every fourth request writes.
            if number % 4 != 0 { return Self.request("GET /files/read.bin", ["Range: bytes=0-9,20-29"], lines) }
            let own = ["Authorization: Bearer " + ada, "Content-Length: \(content.count)"]
            return Self.request("PUT /files/written.bin", own, lines) + content
        } judge: { response in
            Self.problem(response)
        }
        #expect(report.failures.isEmpty, "\(report.failures.joined(separator: "\n"))")
        #expect(report.statuses.values.reduce(0, +) == Self.total)
        for status in [200, 204, 206, 304, 412] { #expect(report.statuses[status, default: 0] > 0, "\(status)") }
        for name in ["read.bin", "written.bin"] { #expect(try await server.get(name).body == Self.content) }
        #expect(try await server.isAlive())
        #expect(try await server.settled(), "\(server.unfinished())")
    }

    /// One or two header lines with a mutated value.
    private static func lines(_ mutator: inout Mutator, _ values: [String]) -> [[UInt8]] {
        (0..<Int.random(in: 1...2, using: &mutator.random)).map { _ in
            let name = mutator.one(of: names)
            let value = mutator.mutated(Array(mutator.one(of: values).utf8))
            // A line end would start another header line, which is a different test.
            return Array((name + ": ").utf8) + value.map { $0 == 13 || $0 == 10 ? 32 : $0 }
        }
    }

    private static func request(_ line: String, _ own: [String], _ mutated: [[UInt8]]) -> Data {
        var data = Data((line + " HTTP/1.1\r\nHost: feed.test\r\n").utf8)
        for header in own.map({ Array($0.utf8) }) + mutated { data += Data(header) + Data("\r\n".utf8) }
        return data + Data("\r\n".utf8)
    }

    /// Describes what is wrong with a response, if anything.
    private static func problem(_ response: RawHTTP.Response) -> String? {
        switch response.status {
        case 200: return response.body == content ? nil : "not the file"
        case 206 where response.headers["content-range"] != nil: return part(response)
        // Only the headers of the parts, of which there are at most 100, may exceed the size of the file.
        case 206: return response.body.count <= 1000 + 200 * 100 ? nil : "\(response.body.count) bytes"
        case 416: return response.headers["content-range"] == "bytes */1000" ? nil : "no size"
        case 204, 304, 400, 412: return nil
        default: return "\(response.status) \(response.text)"
        }
    }

    private static func part(_ response: RawHTTP.Response) -> String? {
        let text = response.headers["content-range"] ?? ""
        let numbers = text.split { !$0.isNumber }.compactMap { Int($0) }
        guard numbers.count == 3, numbers[0] <= numbers[1], numbers[1] < 1000, numbers[2] == 1000,
            response.body == content[numbers[0]...numbers[1]]
        else { return "\(text) with \(response.body.count) bytes" }
        return nil
    }
}
