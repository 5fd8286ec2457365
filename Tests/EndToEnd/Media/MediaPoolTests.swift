import FeedCore
import FeedFiles
import FeedTestSupport
import Foundation
import NIOCore
import NIOPosix
import Synchronization
import TestKit
import Testing

/// The pool of processes: the real program, and scripts that misbehave.
@Suite(.hangLimit) struct MediaPoolTests {
    /// A pool with a blob store of its own.
    private struct Fixture {
        let folder: TemporaryFolder
        let pool: MediaPool
        let upload: String

        /// - Parameter script: What runs instead of the program; `nil` for the real one.
        init(
            _ upload: Data = SampleImages.gif, script: String? = nil, processes: Int = 2, waiting: Int = 10,
            deadline: Duration = .seconds(600), niceness: Int32? = nil,
            report: @escaping @Sendable (String) -> Void = { _ in },
            reportCrash: @escaping @Sendable (MediaCrash) -> Void = { _ in }
        ) throws {
            let folder = try TemporaryFolder()
            self.folder = folder
            var settings = MediaPool.Settings()
            (settings.processes, settings.waiting, settings.deadline) = (processes, waiting, deadline)
            if let niceness { settings.niceness = niceness }
            settings.program = try script.map { try Self.program($0, in: folder) } ?? Programs.feedserver
            let blobs = try BlobStore(folder: folder.path, threads: NIOSingletons.posixBlockingThreadPool)
            pool = MediaPool(blobs: blobs, settings: settings, report: report, reportCrash: reportCrash)
            self.upload = try folder.file("upload")
            try upload.write(to: URL(fileURLWithPath: self.upload))
        }

        /// A program that is written by another process: one that this process starts meanwhile would briefly inherit the
        /// descriptor, and a program that is open for writing cannot be started.
        private static func program(_ script: String, in folder: TemporaryFolder) throws -> String {
            let (text, program) = (try folder.file("script", "#!/bin/sh\n" + script + "\n"), folder.path + "/program")
            chmod(text, 0o700)
            let copying = Process()
            copying.executableURL = URL(fileURLWithPath: "/bin/cp")
            copying.arguments = [text, program]
            try copying.run()
            copying.waitUntilExit()
            return program
        }

        func process() async throws -> ProcessedMedia { try await pool.process(upload, limits: MediaLimits()) }

        func blob(_ blob: Blob) -> Data? {
            let path = BlobStore.path(blob.hash, in: folder.path)
            return FileManager.default.contents(atPath: path)
        }

        /// The names of unfinished files.
        func unfinished() throws -> [String] {
            try FileManager.default.contentsOfDirectory(atPath: folder.path + "/tmp")
        }

        func text(_ name: String) -> String {
            String(decoding: FileManager.default.contents(atPath: folder.path + "/" + name) ?? Data(), as: UTF8.self)
        }
    }

    /// The report that a script prints.
    private static let report = #"{"format":"gif","width":1,"height":1,"missingRestrictions":[]}"#

    @Test(arguments: SampleImages.all) func anImageIsStoredWithItsThumbnail(_ image: Data) async throws {
        let fixture = try Fixture(image)
        let processed = try await fixture.process()
        let content = try #require(fixture.blob(processed.content))
        #expect(
            Checksum.sha256(content) == processed.content.hash.description
                && Int64(content.count) == processed.content.size)
        #expect(processed.format.kind == .image && processed.meta.width != nil)
        if ImageLibrary.areInstalled {
            let thumbnail = try #require(processed.thumbnail.flatMap(fixture.blob))
            let size = try #require(ImageSize.of(thumbnail))
            #expect(size.width == processed.meta.thumbnailWidth && size.height == processed.meta.thumbnailHeight)
            #expect(processed.blurhash != nil)
        }
        #expect(FileManager.default.contents(atPath: fixture.upload) == image)
        #expect(try fixture.unfinished().isEmpty)
    }

    @Test func aRefusalHasTheReason() async throws {
        let fixture = try Fixture(Data("<html>".utf8))
        let refusal = await #expect(throws: FeedError.self) { try await fixture.process() }
        #expect(refusal?.kind == .invalid && refusal?.hint != nil)
        #expect(try fixture.unfinished().isEmpty)
    }

    @Test(arguments: [
        "kill -9 $$", "kill -ABRT $$", "exit 1", "exit 0", "echo no report", "echo \(report); exit 3",
        // A report that is too long, or followed by something.
        "head -c 100000 /dev/zero", "echo '\(report)'; echo '\(report)'", "printf '%s' '\(report)'",
        "echo >&2 'Fatal error: '; exit 139",
    ])
    func aCrashFailsOnlyItsUpload(_ script: String) async throws {
        let fixture = try Fixture(script: script)
        let refusal = await #expect(throws: FeedError.self) { try await fixture.process() }
        #expect(refusal?.kind == .invalid)
        #expect(refusal?.message == "Validation failed: The file could not be processed")
        #expect(try fixture.unfinished().isEmpty)
        #expect(fixture.pool.running == 0)
    }

    @Test func theLogGetsTheReasonOfACrash() async throws {
        let reported = Reported()
        let fixture = try Fixture(
            script: "echo 'something overflowed' >&2; kill -9 $$",
            reportCrash: { crash in reported.text.withLock { $0 += crash.reason } })
        let refusal = await #expect(throws: FeedError.self) { try await fixture.process() }
        let cause = refusal.map { "\($0)" } ?? ""
        #expect(cause.contains("signal 9") && cause.contains("something overflowed"))
        let reason = reported.text.withLock { $0 }
        #expect(!reason.isEmpty && cause.contains(reason))
    }

    @Test(arguments: [
        "exec sleep 1000", "exec >&- 2>&-; exec sleep 1000", "while :; do echo x; done",
        "trap '' TERM INT HUP; sleep 1000",
    ])
    func theDeadlineEndsAProcess(_ script: String) async throws {
        let fixture = try Fixture(script: "echo $$ > \"$(dirname \"$0\")/pid\"\n" + script, deadline: .seconds(2))
        let refusal = await #expect(throws: FeedError.self) { try await fixture.process() }
        #expect(refusal?.kind == .invalid && refusal?.hint?.contains("too long") == true)
        // On a busy machine, the script may not even have begun.
        let processID = Int32(fixture.text("pid").trimmingCharacters(in: .newlines))
        #expect(processID.map { kill($0, 0) } != 0)
        #expect(try fixture.unfinished().isEmpty)
    }

    @Test func aCancelledUploadEndsItsProcess() async throws {
        let fixture = try Fixture(script: "echo $$ > \"$(dirname \"$0\")/pid\"\nexec sleep 1000")
        let upload = Task { try await fixture.process() }
        try await Wait.until("the process runs") { fixture.text("pid").hasSuffix("\n") }
        let processID = try #require(Int32(fixture.text("pid").trimmingCharacters(in: .newlines)))
        upload.cancel()
        await #expect(throws: (any Error).self) { try await upload.value }
        #expect(kill(processID, 0) != 0)
        #expect(fixture.pool.running == 0)
        try await Wait.until("the files are removed") { try fixture.unfinished().isEmpty }
    }

    @Test func aFullQueueIsRefusedAndTheOthersAreServed() async throws {
        // Each process waits until the test allows it to continue.
        let script = "until [ -e \"$(dirname \"$0\")/go\" ]; do sleep 0.05; done\necho '\(Self.report)'"
        let fixture = try Fixture(script: script, processes: 1, waiting: 2)
        try await withThrowingTaskGroup(of: Void.self) { group in
            for number in 0..<3 {
                group.addTask { _ = try await fixture.process() }
                try await Wait.until("\(number) has arrived") {
                    fixture.pool.running + fixture.pool.waiting == number + 1
                }
            }
            let refusal = await #expect(throws: FeedError.self) { try await fixture.process() }
            #expect(refusal?.kind == .unavailable && refusal?.retryAfter != nil)
            _ = try fixture.folder.file("go", "")
            try await group.waitForAll()
        }
        #expect(fixture.pool.running == 0 && fixture.pool.waiting == 0)
    }

    @Test func aProcessGetsOnlyItsDescriptorsAndAFewVariables() async throws {
        // One that a careless part of the server has left open for its children.
        let leaked = open("/dev/null", O_RDONLY)
        defer { close(leaked) }
        let script =
            "cd \"$(dirname \"$0\")\"\n/bin/ls /proc/$$/fd > fds\n/usr/bin/env > env\necho '\(Self.report)'"
        let fixture = try Fixture(script: script)
        _ = try await fixture.process()
        // The shell opens its script at 10 or above.
        let numbers = fixture.text("fds").split(separator: "\n").compactMap { Int($0) }.filter { $0 < 10 }
        #expect(Set(numbers) == [0, 1, 2, 3, 4])
        let names = fixture.text("env").split(separator: "\n").map { $0.prefix { $0 != "=" } }
        #expect(names.contains("MALLOC_ARENA_MAX"))
        #expect(!names.contains("HOME") && !names.contains("FEED_PROGRAMS"))
    }

    /// Not 0: a test that itself has a lower priority could not raise it.
    @Test(arguments: [nil, 19] as [Int32?]) func aProcessHasItsPriority(_ niceness: Int32?) async throws {
        let script = "/usr/bin/nice > \"$(dirname \"$0\")/nice\"\necho '\(Self.report)'"
        let fixture = try Fixture(script: script, niceness: niceness)
        _ = try await fixture.process()
        #expect(fixture.text("nice") == "\(niceness ?? 10)\n")
    }

    @Test func theServerLosesNoDescriptor() async throws {
        let fixture = try Fixture(script: "kill -9 $$")
        func count() throws -> Int { try Self.descriptors(of: fixture.folder) }
        let before = try count()
        for _ in 0..<5 { _ = try? await fixture.process() }
        #expect(try count() == before)
    }

    /// The number of descriptors of this process in a folder.
    private static func descriptors(of folder: TemporaryFolder) throws -> Int {
        let path = URL(fileURLWithPath: folder.path).resolvingSymlinksInPath().path
        return try FileManager.default.contentsOfDirectory(atPath: "/proc/self/fd").count { name in
            let target = try? FileManager.default.destinationOfSymbolicLink(atPath: "/proc/self/fd/" + name)
            return target?.hasPrefix(path) ?? false
        }
    }

    @Test func missingRestrictionsAreReported() async throws {
        let reported = Reported()
        let report = #"{"format":"gif","width":1,"height":1,"missingRestrictions":["seccomp","nice"]}"#
        let fixture = try Fixture(
            script: "echo '\(report)'", report: { missing in reported.text.withLock { $0 = missing } })
        _ = try await fixture.process()
        #expect(reported.text.withLock { $0 } == "seccomp, nice")
    }

    private final class Reported: Sendable { let text = Mutex("") }

    @Test func aProgramThatCannotBeStartedIsAFailureOfTheServer() async throws {
        let fixture = try Fixture(script: "exit 0")
        try FileManager.default.removeItem(atPath: fixture.folder.path + "/program")
        let failure = await #expect(throws: FeedError.self) { try await fixture.process() }
        #expect(failure?.kind == .storage)
        #expect(fixture.pool.running == 0)
    }
}
