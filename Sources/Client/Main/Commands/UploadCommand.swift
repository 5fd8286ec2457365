import ArgumentParser
import FeedAPI
import FeedClientKit
import FeedTerminal
import Foundation

/// Uploads files.
struct UploadCommand: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "upload", abstract: "Upload files and print their URLs.",
        discussion: """
            If a name is taken, the server chooses another one, such as notes-2.txt; with --replace, the file takes the \
            place of the one that you stored under the name. With -, standard input is uploaded, which needs a --name.

              feedclient upload notes.txt picture.jpg
              tar c notes | feedclient upload - --name notes.tar
            """)

    @OptionGroup var global: GlobalOptions
    @Argument(help: .init("The files to upload, or - for standard input.", valueName: "file")) var files: [String]
    @Option(help: .init("The name on the server (default: the name of the file).", valueName: "name")) var name: String?
    @Flag(help: "Replace files that you have stored under the same names.") var replace = false
    @Flag(help: "Print the description of each stored file as JSON instead of its URL.") var json = false
    @OptionGroup var progress: ProgressOptions

    func validate() throws {
        guard !files.contains("-") || name != nil else {
            throw ValidationError("Standard input needs a name: feedclient upload - --name NAME.")
        }
        guard name == nil || files.count == 1 else { throw ValidationError("--name is possible with one file only.") }
        guard name != "" else { throw ValidationError("--name must not be empty.") }
    }

    func run() async throws {
        try await ErrorReporter.run {
            try checkLogin()
            try await InterruptHandler.cancelling(message: "interrupted; the file is not stored") {
                try await sendAll()
            }
        }
    }

    /// The classic dialect stores files, but never replaces one.
    private func checkLogin() throws {
        guard try global.currentLogin().isClassic else { return }
        guard !replace else {
            throw FeedClientError(.unauthorized, "A classic login cannot replace files", hint: "Leave out --replace.")
        }
    }

    private func sendAll() async throws {
        try await global.use { client in
            try await EachItem.run(files) { path in
                // The copy of standard input exists as long as this object.
                let input = path == "-" ? try PipedInput() : nil
                try await send(input?.path ?? path, client)
                withExtendedLifetime(input) {}
            }
        }
    }

    private func send(_ path: String, _ client: FeedClient) async throws {
        let chosen = name ?? URL(fileURLWithPath: path).lastPathComponent
        let reporter = progress.reporter(label: chosen, total: Self.size(of: path))
        defer { reporter.clear() }
        let show = { @Sendable (done: Int64) in reporter.show(done: done) }
        let stored =
            replace
            ? try await client.replaceFile(with: path, name: name, progress: show)
            : try await client.upload(path, name: name, progress: show)
        reporter.finish(size: stored.size, verified: "size only")
        if stored.name != chosen, progress.kind != .json {
            StandardError.line(SafeText.line("\(chosen) is stored as \(stored.name)"))
        }
        print(try json ? EntityJSON.line(stored) : SafeText.line(stored.url))
    }

    /// In bytes; follows links.
    private static func size(of path: String) -> Int64? {
        var status = stat()
        return stat(path, &status) == 0 ? Int64(status.st_size) : nil
    }
}

/// Standard input, copied to a temporary file: an upload needs to know its size, and may have to be repeated. The file
/// has no name, so that nothing is left behind, however the program ends.
final class PipedInput {
    private static let chunk = 1 << 20
    private let file: FileHandle

    /// A path that leads to the file as long as this object exists.
    var path: String {
        #if os(Linux)
            "/proc/self/fd/\(file.fileDescriptor)"
        #else
            "/dev/fd/\(file.fileDescriptor)"
        #endif
    }

    /// Reads standard input to its end.
    /// - Throws: ``FeedClientError`` `.disk` if the temporary file cannot be written, which `TMPDIR` can move.
    init() throws {
        let path = FileManager.default.temporaryDirectory.path + "/feedclient-" + UUID().uuidString
        let descriptor = open(path, O_RDWR | O_CREAT | O_EXCL | O_CLOEXEC | O_NOFOLLOW, 0o600)
        guard descriptor >= 0 else { throw PipedInput.failure(nil) }
        unlink(path)
        file = FileHandle(fileDescriptor: descriptor, closeOnDealloc: true)
        do {
            while let data = try FileHandle.standardInput.read(upToCount: Self.chunk), !data.isEmpty {
                try file.write(contentsOf: data)
            }
        } catch {
            throw Self.failure(error)
        }
    }

    private static func failure(_ cause: (any Error)?) -> FeedClientError {
        FeedClientError(
            .disk, "Standard input cannot be stored in \(FileManager.default.temporaryDirectory.path)",
            hint: "Free some space there, or name another folder in TMPDIR.", cause: cause)
    }
}
