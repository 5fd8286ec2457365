import FeedCore
import FeedFiles
import FeedTestSupport
import Foundation
import TestKit
import Testing

/// The limits of the process, and what it does with hostile files.
@Suite(.hangLimit) struct MediaSandboxTests {
    /// A process that has read something and waits, because nobody reads its copy.
    private static func withWaitingProcess(_ body: (Int32) async throws -> Void) async throws {
        let folder = try TemporaryFolder()
        let upload = try folder.file("upload")
        // A pipe holds 64 KiB.
        let photo = SampleJPEG(columns: 600, rows: 400) { column, row in [UInt8((column * 31 + row * 17) % 256)] }.data
        try #require(photo.count > 200_000)
        try photo.write(to: URL(fileURLWithPath: upload))
        try #require(mkfifo(folder.path + "/content", 0o600) == 0)
        // For reading, too, so that opening it for writing does not wait.
        let pipe = open(folder.path + "/content", O_RDWR | O_CLOEXEC)
        try #require(pipe >= 0)
        defer { close(pipe) }
        let process = ChildProcess()
        process.executableURL = URL(fileURLWithPath: "/bin/sh")
        process.arguments =
            ["-c", MediaChild.script, Programs.feedserver] + MediaArguments(MediaLimits()).words
        process.environment = ProcessInfo.processInfo.environment.merging(["MALLOC_ARENA_MAX": "1"]) { $1 }
        process.currentDirectoryURL = URL(fileURLWithPath: folder.path)
        process.standardInput = FileHandle(forReadingAtPath: upload)
        process.standardOutput = FileHandle.nullDevice
        process.standardError = FileHandle.nullDevice
        try process.run()
        defer {
            kill(process.processIdentifier, SIGKILL)
            process.waitUntilExit()
        }
        try await Wait.until("the process is reading") {
            var state = pollfd(fd: pipe, events: Int16(POLLIN), revents: 0)
            return poll(&state, 1, 0) == 1
        }
        try await body(process.processIdentifier)
    }

    private static func read(_ name: String, of processID: Int32) throws -> String {
        try String(contentsOfFile: "/proc/\(processID)/\(name)", encoding: .utf8)
    }

    /// The values after a name in a file of `/proc`.
    private static func values(_ name: String, in text: String) -> [Substring] {
        let line = text.split(separator: "\n").first { $0.hasPrefix(name) }
        return line?.dropFirst(name.count).split { $0 == " " || $0 == "\t" || $0 == ":" } ?? []
    }

    @Test func theLimitsAreInForceBeforeAByteIsRead() async throws {
        try await Self.withWaitingProcess { processID in
            let limits = try Self.read("limits", of: processID)
            #expect(Self.values("Max address space", in: limits).prefix(2) == ["268435456", "268435456"])
            #expect(Self.values("Max cpu time", in: limits).prefix(2) == ["30", "30"])
            #expect(Self.values("Max open files", in: limits).prefix(2) == ["0", "0"])
            #expect(Self.values("Max core file size", in: limits).prefix(2) == ["0", "0"])
            let size = MediaLimits().uploadBytes + 1 << 20
            #expect(Self.values("Max file size", in: limits).first.flatMap { Int64($0) } == size)
            let status = try Self.read("status", of: processID)
            #expect(Self.values("NoNewPrivs", in: status) == ["1"])
            // 2: the calls are filtered.
            #expect(Self.values("Seccomp", in: status) == ["2"])
            // Every thread is restricted.
            for thread in try FileManager.default.contentsOfDirectory(atPath: "/proc/\(processID)/task") {
                let status = try Self.read("task/\(thread)/status", of: processID)
                #expect(Self.values("Seccomp", in: status) == ["2"])
            }
        }
    }

    @Test func noRestrictionIsMissing() async throws {
        let child = try await MediaChild.run(SampleImages.gif)
        #expect(child.code == 0 && child.report?.missingRestrictions == [])
    }

    struct HostileRow: Sendable, CustomTestStringConvertible {
        let name: String
        let data: Data

        var testDescription: String { name }

        static let refused = [
            HostileRow(name: "nothing", data: Data()),
            HostileRow(name: "text", data: Data("hello".utf8)),
            HostileRow(name: "HTML", data: Data("<!DOCTYPE html><script>alert(1)</script>".utf8)),
            HostileRow(name: "SVG", data: Data("<svg xmlns=\"http://www.w3.org/2000/svg\"/>".utf8)),
            HostileRow(name: "zeros", data: Data(count: 100_000)),
            HostileRow(name: "random bytes", data: SampleBytes.make(100_000)),
            HostileRow(name: "a PNG of 50,000 × 50,000", data: png(50_000, 50_000)),
            HostileRow(name: "a PNG of 2^31 - 1 × 2^31 - 1", data: png(.max, .max)),
            HostileRow(name: "a PNG without pixels", data: png(100, 100)),
            HostileRow(name: "half a JPEG head", data: SampleImages.jpeg.prefix(40)),
            HostileRow(name: "half a PNG", data: SampleImages.png(100, 100).prefix(60)),
            HostileRow(name: "half a GIF head", data: SampleImages.gif.prefix(8)),
        ]

        private static func png(_ width: Int32, _ height: Int32) -> Data {
            var data = SampleImages.png(1, 1).prefix(33)
            for (start, value) in [(16, width), (20, height)] {
                withUnsafeBytes(of: value.bigEndian) { data.replaceSubrange(start..<start + 4, with: $0) }
            }
            return data
        }
    }

    @Test(arguments: HostileRow.refused) func aHostileFileIsRefusedWithAReason(_ row: HostileRow) async throws {
        let child = try await MediaChild.run(row.data)
        #expect(child.code == 0)
        guard case .refused(let fault) = child.report?.result else {
            Issue.record("accepted, or no report: \(child.errors)")
            return
        }
        #expect(fault.kind != .failed && !fault.message.isEmpty)
        #expect(child.thumbnail.isEmpty)
    }

    @Test(arguments: [0, 2, 6] as [UInt8]) func aBombIsBounded(_ colorType: UInt8) async throws {
        // A thousand times more than the image can hold.
        let bomb = BlackPNG(width: 100, height: 100, colorType: colorType, excess: 40_000_000).data
        let child = try await MediaChild.run(bomb)
        #expect(child.code == 0 && child.report != nil)
        #expect(child.thumbnail.count < 100_000)
    }

    @Test func whatIsNotAFileIsRefused() async throws {
        let finished = try await Tool.run(
            "/bin/sh",
            ["-c", "cat /dev/zero | \"$0\" \"$@\" 3>/dev/null 4>/dev/null", Programs.feedserver]
                + MediaArguments(MediaLimits()).words)
        guard case .refused = MediaReport(parsing: Array(finished.output))?.result else {
            Issue.record("\(finished)")
            return
        }
    }

    @Test(arguments: [[], ["1"], ["a", "b", "c", "d"], ["0", "0", "0", "0"], ["-1", "1", "1", "1"]] as [[String]])
    func theArgumentsAreChecked(_ arguments: [String]) async throws {
        #expect(try await Tool.run(Programs.feedserver, ["process-media"] + arguments).code == 64)
    }

    @Test func theHelpOmitsTheSubcommand() async throws {
        #expect(try await !Tool.run(Programs.feedserver, ["--help"]).text.contains("process-media"))
    }
}
