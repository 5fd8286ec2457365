import FeedTestSupport
import Foundation
import Testing

/// What stands in a file before and after.
enum Written {
    static let old = Data("old".utf8)
    static let new = Data("new and longer".utf8)
}

@Suite(.timeLimit(.minutes(15)), .serialized, .fileServer("--max-file-size", "1MiB"))
struct WriteTableTests {
    /// A file whose validators rows without a file speak of.
    private static func validators(_ server: FileServer, of name: String?) async throws -> Validators {
        if let name { return try Validators(try await server.head(name)) }
        try await server.store("reference.txt", Written.old)
        return try Validators(try await server.head("reference.txt"))
    }

    @Test(arguments: WriteRow.all)
    func table(row: WriteRow) async throws {
        let server = try FileServer.here()
        let name = row.id + ".txt"
        if row.isThere { try await server.store(name, Written.old) }
        let validators = try await Self.validators(server, of: row.isThere ? name : nil)
        let headers = row.headers.map { validators.fill($0) }
        let answer =
            try await row.method == "PUT"
            ? server.put(name, Written.new, headers) : server.delete(name, headers)
        #expect(answer.status == row.status, "\(answer.text)")
        let after = try await server.get(name)
        switch (row.status, row.method) {
        case (201, _), (204, "PUT"):
            #expect(after.status == 200 && after.body == Written.new)
            #expect(answer.headers["etag"] == after.headers["etag"])
        case (204, _): #expect(after.status == 404 && answer.body.isEmpty)
        default:
            #expect(after.status == (row.isThere ? 200 : 404))
            if row.isThere { #expect(after.body == Written.old) }
        }
    }

    /// W09.
    @Test func aReplayFindsAnotherVersion() async throws {
        let server = try FileServer.here()
        try await server.store("replay.txt", Written.old)
        let old = try #require(try await server.head("replay.txt").headers["etag"])
        #expect(try await server.put("replay.txt", Written.new, ["If-Match: " + old]).status == 204)
        #expect(try await server.put("replay.txt", Written.new, ["If-Match: " + old]).status == 412)
        // The same bytes have the same tag, so this changes nothing twice.
        let new = try #require(try await server.head("replay.txt").headers["etag"])
        for _ in 0..<2 {
            #expect(try await server.put("replay.txt", Written.new, ["If-Match: " + new]).status == 204)
        }
    }

    /// W10, with a length that is not reached, with a chunk that is not, and without the last chunk.
    @Test(arguments: [
        ("Content-Length: 300000", ""), ("Transfer-Encoding: chunked", "493e0\r\n"),
        ("Transfer-Encoding: chunked", "1388\r\n"),
    ])
    func anUploadThatBreaksOffChangesNothing(framing: String, lead: String) async throws {
        let server = try FileServer.here()
        try await server.store("broken.txt", Written.old)
        let part = SampleBytes.make(5000, seed: 10)
        let blobs = server.blobs()
        for name in ["broken.txt", "never.txt"] {
            let head = server.request("PUT", "/files/" + name, [framing], as: server.ada)
            // Closes as it ends.
            try await Wire.on(port: server.port) { wire in
                wire.send(head + Data(lead.utf8) + part)
                Thread.sleep(forTimeInterval: 0.1)
            }
        }
        #expect(try await server.settled(), "\(server.unfinished())")
        #expect(try await server.get("broken.txt").body == Written.old)
        #expect(try await server.get("never.txt").status == 404)
        #expect(server.blobs() == blobs)
    }

    /// Also where the sender only closes its half and could still read.
    @Test func aHalfClosedUploadChangesNothing() async throws {
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

    /// W11. A request, its headers, and the status that must come without a 100 before it.
    @Test(arguments: [
        ("PUT", "/files/expected.txt", ["Content-Length: 9"], "", 401),
        ("PUT", "/files/expected.txt", ["Content-Length: 9"], "nonsense", 401),
        ("PUT", "/files/expected.txt", ["Content-Length: 9"], "eve", 403),
        ("PUT", "/files/expected.txt", ["Content-Length: 9", "If-Match: \"X\""], "ada", 412),
        ("PUT", "/files/expected.txt", ["Content-Length: 9", "If-None-Match: *"], "ada", 412),
        ("PUT", "/files/nothing.txt", ["Content-Length: 9", "If-Match: *"], "ada", 412),
        ("PUT", "/files/expected.txt", ["Content-Length: 1048577"], "ada", 413),
        ("PUT", "/files/expected.txt", ["Content-Length: 9", "Content-Range: bytes 0-8/9"], "ada", 400),
        ("PUT", "/files/.hidden", ["Content-Length: 9"], "ada", 400),
        ("PUT", "/files/expected.txt", ["Content-Length: 9", "Content-Digest: nonsense"], "ada", 400),
        ("POST", "/files", ["Content-Length: 9", "Content-Type: multipart/form-data; boundary=B"], "", 401),
        ("POST", "/files", ["Content-Length: 9", "Content-Type: multipart/form-data"], "ada", 400),
        ("POST", "/files", ["Content-Length: 2000000", "Content-Type: multipart/form-data; boundary=B"], "ada", 413),
    ])
    func whatIsRefusedIsNotAskedFor(
        method: String, target: String, headers: [String], person: String, status: Int
    ) async throws {
        let server = try FileServer.here()
        try await server.store("expected.txt", Written.old)
        let token = ["": nil, "ada": server.ada, "eve": server.eve][person] ?? person
        let head = server.request(method, target, headers + ["Expect: 100-continue"], as: token)
        let answer = try await Wire.on(port: server.port) { wire in
            wire.send(head)
            return try wire.answer()
        }
        #expect(answer?.status == status, "\(answer?.text ?? "nothing")")
        #expect(try await server.get("expected.txt").body == Written.old)
    }

    @Test func whatIsWantedIsAskedFor() async throws {
        let server = try FileServer.here()
        let length = "Content-Length: \(Written.new.count)"
        let head = server.request("PUT", "/files/asked.txt", [length, "Expect: 100-continue"], as: server.ada)
        let statuses = try await Wire.on(port: server.port) { wire in
            wire.send(head)
            let first = try wire.answer()?.status
            wire.send(Written.new)
            return [first, try wire.answer()?.status]
        }
        #expect(statuses == [100, 201])
        #expect(try await server.get("asked.txt").body == Written.new)
    }

    /// W12: refused before a byte of the body is read.
    @Test(arguments: ["PUT /files/large.bin", "POST /files"])
    func whatIsTooLargeIsRefusedUnread(request: String) async throws {
        let server = try FileServer.here()
        let words = request.split(separator: " ").map { String($0) }
        let head = server.request(
            words[0], words[1], ["Content-Length: 2000000", "Content-Type: multipart/form-data; boundary=B"],
            as: server.ada)
        let answer = try await Wire.on(port: server.port) { wire in
            wire.send(head)
            return try wire.answer()
        }
        #expect(answer?.status == 413 && answer?.text.contains("\"error\"") == true)
    }

    /// A sender that does not wait gets to read the answer all the same.
    @Test func whoSendsOnReadsTheRefusalToo() async throws {
        let server = try FileServer.here()
        let answer = try await server.put("large.bin", SampleBytes.make(1_048_577, seed: 12))
        #expect(answer.status == 413)
        #expect(try await server.get("large.bin").status == 404)
        #expect(try await server.put("largest.bin", SampleBytes.make(1_048_576, seed: 12)).status == 201)
    }

    /// W12 without a length: refused at the limit, and the connection has no future.
    @Test(arguments: ["PUT", "POST"])
    func chunksEndAtTheLimit(method: String) async throws {
        let server = try FileServer.here()
        let type = "Content-Type: multipart/form-data; boundary=B"
        let head = server.request(
            method, method == "PUT" ? "/files/chunked.bin" : "/files", ["Transfer-Encoding: chunked", type],
            as: server.ada)
        let start = "--B\r\nContent-Disposition: form-data; name=\"f\"; filename=\"chunked.bin\"\r\n\r\n"
        let (answer, rest) = try await Wire.on(port: server.port) { wire in
            wire.send(head)
            wire.send(Self.chunk(Data(start.utf8)))
            for piece in 0..<24 {
                if !wire.send(Self.chunk(SampleBytes.make(65_536, seed: UInt64(piece)))) { break }
            }
            let answer = try wire.answer()
            return (answer, try wire.readToEnd())
        }
        #expect(answer?.status == 413)
        #expect(rest.isEmpty)
        #expect(try await server.get("chunked.bin").status == 404)
        #expect(try await server.settled(), "\(server.unfinished())")
    }

    @Test func chunksArePutTogether() async throws {
        let server = try FileServer.here()
        let content = SampleBytes.make(200_000, seed: 13)
        let head = server.request("PUT", "/files/together.bin", ["Transfer-Encoding: chunked"], as: server.ada)
        let answer = try await Wire.on(port: server.port) { wire in
            wire.send(head)
            for start in stride(from: 0, to: content.count, by: 7001) {
                wire.send(Self.chunk(Data(content[start..<min(start + 7001, content.count)])))
            }
            wire.send("0\r\n\r\n")
            return try wire.answer()
        }
        #expect(answer?.status == 201)
        #expect(try await server.get("together.bin").body == content)
    }

    private static func chunk(_ data: Data) -> Data {
        Data((String(data.count, radix: 16) + "\r\n").utf8) + data + Data("\r\n".utf8)
    }
}

// MARK: - Digests

/// Digest fields of a PUT of ``Written/new`` (RFC 9530).
struct DigestRow: CustomTestStringConvertible, Sendable {
    let lines: [String]
    let isTaken: Bool

    var testDescription: String { lines.joined(separator: " | ") }

    private static let right = Checksum.digestField(Written.new)
    private static let wrong = Checksum.digestField(Written.old)

    static let all: [DigestRow] = [
        taken("Content-Digest: \(right)"), taken("Repr-Digest: \(right)"),
        taken("Content-Digest: \(right)", "Repr-Digest: \(right)"),
        taken("Content-Digest: md5=:1B2M2Y8AsgTpgAmY7PhCfg==:"), taken("Repr-Digest: unixsum=:AAAA:"),
        taken("Content-Digest: md5=:1B2M2Y8AsgTpgAmY7PhCfg==:, \(right)"),
        taken("Content-Digest: \(right),md5=:1B2M2Y8AsgTpgAmY7PhCfg==:"),
        refused("Content-Digest: \(wrong)"), refused("Repr-Digest: \(wrong)"),
        refused("Content-Digest: \(right)", "Repr-Digest: \(wrong)"),
        refused("Content-Digest: \(wrong)", "Repr-Digest: \(right)"),
        refused("Content-Digest: md5=:1B2M2Y8AsgTpgAmY7PhCfg==:, \(wrong)"),
        refused("Content-Digest: md5=:1B2M2Y8AsgTpgAmY7PhCfg==:", "Content-Digest: \(wrong)"),
        refused("Content-Digest: sha-256=abc"), refused("Content-Digest: sha-256=::"),
        refused("Content-Digest: sha-256=:AAAA:"), refused("Content-Digest: sha-256=:%%%%:"),
        refused("Repr-Digest: sha-256"), refused("Repr-Digest: nonsense"),
    ]

    private static func taken(_ lines: String...) -> DigestRow { DigestRow(lines: lines, isTaken: true) }

    private static func refused(_ lines: String...) -> DigestRow { DigestRow(lines: lines, isTaken: false) }
}

@Suite(.timeLimit(.minutes(15)), .serialized, .fileServer())
struct DigestTests {
    @Test(arguments: DigestRow.all, [true, false])
    func table(row: DigestRow, isThere: Bool) async throws {
        let server = try FileServer.here()
        let name = "digested.txt"
        if isThere { try await server.store(name, Written.old) }
        let answer = try await server.put(name, Written.new, row.lines)
        #expect(answer.status == (row.isTaken ? isThere ? 204 : 201 : 400), "\(answer.text)")
        let after = try await server.get(name)
        if row.isTaken {
            #expect(after.body == Written.new)
        } else {
            #expect(after.status == (isThere ? 200 : 404))
            #expect(!isThere || after.body == Written.old)
        }
        #expect(server.unfinished().isEmpty)
        if after.status == 200 { #expect(try await server.delete(name).status == 204) }
    }

    /// Bytes that are not those of their digest do not stay on the disk either.
    @Test func nothingStaysOfWrongBytes() async throws {
        let server = try FileServer.here()
        let content = SampleBytes.make(300_000, seed: 14)
        let answer = try await server.put("wrong.bin", content, ["Content-Digest: \(Checksum.digestField(Data()))"])
        #expect(answer.status == 400)
        #expect(!server.blobs().contains(Checksum.sha256(content)) && server.unfinished().isEmpty)
    }
}

// MARK: - Owners

@Suite(.timeLimit(.minutes(15)), .serialized, .fileServer("--allow-anonymous-uploads"))
struct OwnershipTests {
    @Test func aNameBelongsToItsFirst() async throws {
        let server = try FileServer.here()
        try await server.store("mine.txt", Written.old)
        for other in [server.eve, server.root] {
            let answer = try await server.put("mine.txt", Written.new, as: other)
            #expect(answer.status == 403 && answer.text.contains("\"error\""))
        }
        #expect(try await server.delete("mine.txt", as: server.eve).status == 403)
        // Whoever may not touch it learns nothing about its state.
        #expect(try await server.put("mine.txt", Written.new, ["If-Match: \"X\""], as: server.eve).status == 403)
        #expect(try await server.delete("mine.txt", ["If-Match: \"X\""], as: server.eve).status == 403)
        #expect(try await server.get("mine.txt").body == Written.old)
        #expect(try await server.delete("mine.txt", as: server.root).status == 204)
        #expect(try await server.get("mine.txt").status == 404)
        // Then it is free.
        #expect(try await server.put("mine.txt", Written.new, as: server.eve).status == 201)
        #expect(try await server.delete("mine.txt").status == 403)
    }

    @Test func anAnonymousUploadIsNobodys() async throws {
        let server = try FileServer.here()
        let body = "--B\r\nContent-Disposition: form-data; name=\"f\"; filename=\"anyone.txt\"\r\n\r\nold\r\n--B--\r\n"
        let upload = try await RawHTTP.send(
            port: server.port, "POST", "/FileUpload.aspx", headers: ["Content-Type: multipart/form-data; boundary=B"],
            body: Data(body.utf8))
        #expect(upload.status == 200)
        for person in [server.ada, server.root] {
            #expect(try await server.put("anyone.txt", Written.new, as: person).status == 403)
        }
        #expect(try await server.delete("anyone.txt").status == 403)
        #expect(try await server.get("anyone.txt").body == Written.old)
        #expect(try await server.delete("anyone.txt", as: server.root).status == 204)
    }

    @Test func writingNeedsATokenThatMay() async throws {
        let server = try FileServer.here()
        try await server.store("kept.txt", Written.old)
        let reader = try await server.process.token("ada", scopes: "read")
        for (token, status) in [("nonsense", 401), (reader, 403)] {
            #expect(try await server.put("kept.txt", Written.new, as: token).status == status)
            #expect(try await server.delete("kept.txt", as: token).status == status)
        }
        for method in ["PUT", "DELETE"] {
            let answer = try await RawHTTP.send(port: server.port, method, "/files/kept.txt", body: Data())
            #expect(answer.status == 401 && answer.headers["www-authenticate"]?.hasPrefix("Bearer") == true)
        }
        #expect(try await server.get("kept.txt").body == Written.old)
    }

    @Test func otherMethodsAreNamed() async throws {
        let server = try FileServer.here()
        let answer = try await RawHTTP.send(port: server.port, "PATCH", "/files/kept.txt", body: Data())
        #expect(answer.status == 405)
        let allowed = answer.headers["allow"]?.split(separator: ",").map { $0.trimmingCharacters(in: .whitespaces) }
        for method in ["DELETE", "GET", "HEAD", "PUT"] { #expect(allowed?.contains(method) == true, "\(method)") }
    }

    /// NFC on every route, and nothing that is no plain segment.
    @Test func namesHaveOneForm() async throws {
        let server = try FileServer.here()
        #expect(try await server.put("e\u{301}.txt", Written.old).status == 201)
        #expect(try await server.put("\u{E9}.txt", Written.new).status == 204)
        #expect(try await server.get("e\u{301}.txt").body == Written.new)
        #expect(try await server.list().contains { Array($0.name.utf8) == Array("\u{E9}.txt".utf8) })
        #expect(try await server.delete("e\u{301}.txt").status == 204)
        #expect(try await server.get("\u{E9}.txt").status == 404)
        let long = String(repeating: "n", count: 256)
        for name in [".hidden", ".", "..", "a/b", "a\\b", "a\u{0}b", "a\r\nb", "\u{202E}a", "a\u{FEFF}", long] {
            #expect(try await server.put(name, Written.new).status == 400, "\(name.debugDescription)")
            #expect(try await server.delete(name).status == 400, "\(name.debugDescription)")
        }
        for path in ["/files/%FF", "/files/%", "/files/%zz"] {
            let answer = try await RawHTTP.send(
                port: server.port, "PUT", path, headers: [FileServer.authorization(server.ada)], body: Data())
            #expect(answer.status == 400, "\(path)")
        }
    }
}

// MARK: - Quotas

/// A server that gives each account 1 MiB, told so in one of two ways.
enum QuotaSetting: String, CaseIterable, Sendable {
    case option, environment

    func start() async throws -> FileServer {
        switch self {
        case .option: try await FileServer.start(["--file-quota", "1MiB"])
        case .environment: try await FileServer.start(environment: ["FEEDSERVER_FILE_QUOTA": "1MiB"])
        }
    }
}

@Suite(.timeLimit(.minutes(15)), .serialized)
struct QuotaTests {
    private static let content = SampleBytes.make(700_000, seed: 15)

    @Test(arguments: QuotaSetting.allCases)
    func anAccountHasItsShare(setting: QuotaSetting) async throws {
        let server = try await setting.start()
        #expect(try await server.put("one.bin", Self.content).status == 201)
        let refused = try await server.put("two.bin", Self.content)
        #expect(refused.status == 507 && refused.text.contains("\"error\""))
        #expect(try await server.get("two.bin").status == 404)
        // Other people have theirs, and what fits still fits.
        #expect(try await server.put("hers.bin", Self.content, as: server.eve).status == 201)
        #expect(try await server.put("small.bin", Data(repeating: 1, count: 300_000)).status == 201)
        // What is replaced makes room.
        #expect(try await server.put("one.bin", SampleBytes.make(700_000, seed: 16)).status == 204)
        #expect(try await server.delete("one.bin").status == 204)
        #expect(try await server.put("two.bin", Self.content).status == 201)
    }

    /// Refused before the body is asked for.
    @Test(arguments: ["PUT /files/more.bin", "POST /files"])
    func aFullAccountIsNotAskedForMore(request: String) async throws {
        let server = try await FileServer.start(["--file-quota", "1MiB"])
        try await server.store("one.bin", Self.content)
        let words = request.split(separator: " ").map { String($0) }
        let head = server.request(
            words[0], words[1],
            [
                "Content-Length: 700000", "Content-Type: multipart/form-data; boundary=B", "Expect: 100-continue",
            ], as: server.ada)
        let answer = try await Wire.on(port: server.port) { wire in
            wire.send(head)
            return try wire.answer()
        }
        #expect(answer?.status == 507)
    }

    /// Without a length it is seen on the way.
    @Test func chunksCountToo() async throws {
        let server = try await FileServer.start(["--file-quota", "1MiB"])
        try await server.store("one.bin", Self.content)
        let head = server.request("PUT", "/files/more.bin", ["Transfer-Encoding: chunked"], as: server.ada)
        let answer = try await Wire.on(port: server.port) { wire in
            wire.send(head + Data("aae60\r\n".utf8) + Self.content + Data("\r\n0\r\n\r\n".utf8))
            return try wire.answer()
        }
        #expect(answer?.status == 507)
        #expect(try await server.get("more.bin").status == 404)
        #expect(try await server.settled(), "\(server.unfinished())")
    }

    /// Two halves that fit one by one, but not together, sent at once: the sum is looked at when the names are given.
    @Test func racersDoNotExceedIt() async throws {
        let server = try await FileServer.start(["--file-quota", "1MiB"])
        let statuses = try await withThrowingTaskGroup(of: Int.self) { group in
            for index in 0..<8 {
                group.addTask {
                    try await server.put("race-\(index).bin", SampleBytes.make(700_000, seed: UInt64(index))).status
                }
            }
            return try await group.reduce(into: []) { $0.append($1) }
        }
        #expect(statuses.sorted() == [201] + Array(repeating: 507, count: 7))
        #expect(try await server.list().count == 1)
    }
}

// MARK: - Races

@Suite(.timeLimit(.minutes(15)), .serialized, .fileServer())
struct WriteRaceTests {
    /// So many at a time.
    private static let width = 20

    /// Does the same thing many times over, ``width`` of them at once.
    private static func race(_ count: Int, _ run: @escaping @Sendable (Int) async throws -> Int) async throws -> [Int] {
        try await withThrowingTaskGroup(of: Int.self) { group in
            for index in 0..<min(width, count) { group.addTask { try await run(index) } }
            var next = width
            var results: [Int] = []
            while let result = try await group.next() {
                results.append(result)
                let index = next
                next += 1
                if index < count { group.addTask { try await run(index) } }
            }
            return results
        }
    }

    /// A thousand writers, a hundred for each of ten versions: no update is lost.
    @Test func eachVersionHasOneHeir() async throws {
        let server = try FileServer.here()
        try await server.store("raced.txt", Data("version 0".utf8))
        var tags: Set<String> = []
        for version in 1...10 {
            let tag = try #require(try await server.head("raced.txt").headers["etag"])
            tags.insert(tag)
            let statuses = try await Self.race(100) { writer in
                let content = Data("version \(version) by \(writer)".utf8)
                return try await server.put("raced.txt", content, ["If-Match: " + tag]).status
            }
            #expect(statuses.count { $0 == 204 } == 1, "version \(version)")
            #expect(statuses.count { $0 == 412 } == 99, "version \(version)")
            #expect(try await server.get("raced.txt").text.hasPrefix("version \(version) by "))
        }
        #expect(tags.count == 10)
    }

    @Test func aNewNameHasOneAuthor() async throws {
        let server = try FileServer.here()
        for round in 0..<5 {
            let name = "new-\(round).txt"
            let statuses = try await Self.race(60) { writer in
                let token = writer % 2 == 0 ? server.ada : server.eve
                return try await server.put(name, Data("by \(writer)".utf8), ["If-None-Match: *"], as: token).status
            }
            #expect(statuses.count { $0 == 201 } == 1)
            // The other person's name is refused before its state is looked at.
            #expect(statuses.allSatisfy { [201, 403, 412].contains($0) }, "\(statuses)")
        }
    }

    /// Without preconditions the last one wins, whole.
    @Test func whatIsReadIsAlwaysWhole() async throws {
        let server = try FileServer.here()
        let versions = (0..<20).map { SampleBytes.make(150_000 + $0 * 1000, seed: UInt64(100 + $0)) }
        try await server.store("whole.bin", versions[0])
        let statuses = try await Self.race(100) { index in
            if index % 2 == 0 { return try await server.put("whole.bin", versions[index / 5]).status }
            let answer = try await server.get("whole.bin")
            return versions.contains(answer.body) && answer.status == 200 ? 200 : 0
        }
        #expect(statuses.count { $0 == 200 } == 50 && statuses.count { $0 == 204 } == 50, "\(statuses)")
    }

    @Test func onlyOneDeletes() async throws {
        let server = try FileServer.here()
        try await server.store("deleted.txt", Written.old)
        let statuses = try await Self.race(40) { _ in try await server.delete("deleted.txt").status }
        #expect(statuses.count { $0 == 204 } == 1 && statuses.count { $0 == 404 } == 39)
    }
}
