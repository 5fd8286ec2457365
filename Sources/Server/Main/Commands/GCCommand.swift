import ArgumentParser
import FeedFiles
import FeedStore
import FeedTerminal
import FeedWeb
import Foundation
import NIOCore
import NIOPosix

/// `feedserver gc`.
struct GCCommand: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "gc", abstract: "Remove stored content that is no longer referenced.",
        discussion: """
            The server removes replaced and deleted files itself; this command also removes what a crash left behind.
            It can be used while the server is running.
            """)

    @OptionGroup var data: DataOptions
    @Option(parsing: .unconditional, help: .init("Keep content younger than this.", valueName: "seconds"))
    var grace = 60

    func validate() throws {
        guard grace >= 0 else { throw ValidationError("--grace must not be negative.") }
    }

    func run() async throws {
        try await Failure.reported {
            let report = try await data.use { database in
                let blobs = try BlobStore(folder: data.folder, threads: NIOSingletons.posixBlockingThreadPool)
                return try await GarbageCollector(blobs: blobs, files: FileStore(database)).collectAll(
                    grace: Int64(grace))
            }
            print(
                "removed \(Plural.text(report.blobs, "stored file")) (\(ByteSize.text(report.bytes))) and "
                    + Plural.text(report.unfinished, "unfinished upload")
                    + ", kept \(Plural.text(report.kept, "stored file"))")
        }
    }
}
