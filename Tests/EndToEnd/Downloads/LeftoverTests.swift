import FeedTestSupport
import Foundation
import TestKit
import Testing

/// Changes to the files of an interrupted download before it is resumed.
struct Tampering: CustomTestStringConvertible, Sendable {
    let testDescription: String
    var expected = Expected.right
    /// Changes the part file or the journal.
    let change: @Sendable (DownloadFixture) throws -> Void

    init(
        _ name: String, _ expected: Expected = .right, _ change: @escaping @Sendable (DownloadFixture) throws -> Void
    ) {
        (testDescription, self.expected, self.change) = (name, expected, change)
    }

    static let part: [Tampering] = [
        Tampering("unchanged") { _ in },
        Tampering("its first byte is changed") { try edit($0.part) { $0[0] ^= 1 } },
        Tampering("a byte in the middle is changed") { try edit($0.part) { $0[1_000_000] ^= 0x80 } },
        Tampering("it contains bytes of another file") {
            try edit($0.part) { $0 = FaultRow.other.bytes.prefix($0.count) }
        },
        Tampering("it is full of zeros") { try edit($0.part) { $0 = Data(count: $0.count) } },
        Tampering("it is shorter") { try edit($0.part) { $0 = $0.prefix(1000) } },
        Tampering("it is longer") { try edit($0.part) { $0 += Data(repeating: 7, count: 5_000_000) } },
        Tampering("it is empty") { try edit($0.part) { $0 = Data() } },
        Tampering("it is missing") { unlink($0.part) },
        Tampering("it is a folder", .refused(1, 8)) {
            unlink($0.part)
            mkdir($0.part, 0o755)
        },
        Tampering("it is a link to another file", .refused(1, 8)) {
            unlink($0.part)
            symlink($0.folder + "/keep.txt", $0.part)
        },
        Tampering("it is a pipe", .refused(1, 8)) {
            unlink($0.part)
            mkfifo($0.part, 0o600)
        },
    ]

    static let journal: [Tampering] = [
        // Without a journal, the part file may belong to another program.
        Tampering("it is missing", .refused(1)) { unlink($0.journal) },
        Tampering("it is empty") { try edit($0.journal) { $0 = Data() } },
        Tampering("it is truncated") { try edit($0.journal) { $0 = $0.prefix($0.count / 2) } },
        Tampering("it has an extra line") { try edit($0.journal) { $0 += Data("more\n".utf8) } },
        Tampering("it is garbage") { try edit($0.journal) { $0 = FaultRow.other.bytes.prefix(5000) } },
        Tampering("it is huge") { try edit($0.journal) { $0 = Data(repeating: 0x20, count: 50 << 20) } },
        Tampering("it is deeply nested JSON") { try edit($0.journal) { $0 = Data(repeating: 0x5B, count: 100_000) } },
        Tampering("it is a folder", .rightOrRefused(1, 8)) {
            unlink($0.journal)
            mkdir($0.journal, 0o755)
        },
        Tampering("it is a link to another file", .rightOrRefused(1, 8)) {
            unlink($0.journal)
            symlink($0.folder + "/keep.txt", $0.journal)
        },
        Tampering("it is a pipe", .rightOrRefused(1, 8)) {
            unlink($0.journal)
            mkfifo($0.journal, 0o600)
        },
    ]

    /// Flips single bits at several places in the journal.
    static let bits: [Tampering] = (0..<24).map { number in
        Tampering("bit \(number)") {
            try edit($0.journal) { $0[($0.count - 1) * number / 23] ^= 1 << UInt8(number % 8) }
        }
    }

    private static func edit(_ path: String, _ change: (inout Data) -> Void) throws {
        var bytes = try Data(contentsOf: URL(fileURLWithPath: path))
        change(&bytes)
        try bytes.write(to: URL(fileURLWithPath: path))
    }

    /// Interrupts a download, makes the change, and resumes.
    func check() async throws {
        try await DownloadSlots.shared.run {
            try await FaultServer.serving(.silent(FaultRow.file, after: 2 << 20)) { server in
                let fixture = try DownloadFixture()
                try await fixture.downloadUntilSilent(server, ["--chunk-size", "256KiB"])
                try change(fixture)
                server.change(to: FaultPlan(FaultRow.file))
                let done = try await fixture.download(server.url, ["--chunk-size", "256KiB"])
                try fixture.check(done, expected, versions: [FaultRow.file])
            }
        }
    }
}

/// The files of an interrupted download are not trusted.
@Suite(.hangLimit)
struct LeftoverTests {
    @Test(arguments: Tampering.part)
    func modifiedPartFileIsDetected(_ row: Tampering) async throws { try await row.check() }

    @Test(arguments: Tampering.journal)
    func modifiedJournalIsDetected(_ row: Tampering) async throws { try await row.check() }

    @Test(arguments: Tampering.bits)
    func flippedBitInTheJournalIsDetected(_ row: Tampering) async throws { try await row.check() }
}
