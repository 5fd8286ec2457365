import FeedTestSupport
import Foundation
import TestKit
import Testing

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

@Suite(.hangLimit, .serialized, .fileServer())
struct DigestTests {
    @Test(arguments: DigestRow.all, [true, false])
    func digestFieldsAreVerified(row: DigestRow, exists: Bool) async throws {
        let server = try FileServer.here()
        let name = "digested.txt"
        if exists { try await server.store(name, Written.old) }
        let response = try await server.put(name, Written.new, row.lines)
        #expect(response.status == (row.isTaken ? exists ? 204 : 201 : 400), "\(response.text)")
        let after = try await server.get(name)
        if row.isTaken {
            #expect(after.body == Written.new)
        } else {
            #expect(after.status == (exists ? 200 : 404))
            #expect(!exists || after.body == Written.old)
        }
        #expect(server.unfinished().isEmpty)
        if after.status == 200 { #expect(try await server.delete(name).status == 204) }
    }

    /// Bytes that do not match their digest are also removed from the disk.
    @Test func mismatchedUploadLeavesNothing() async throws {
        let server = try FileServer.here()
        let content = SampleBytes.make(300_000, seed: 14)
        let response = try await server.put("wrong.bin", content, ["Content-Digest: \(Checksum.digestField(Data()))"])
        #expect(response.status == 400)
        #expect(!server.blobs().contains(Checksum.sha256(content)) && server.unfinished().isEmpty)
    }
}
