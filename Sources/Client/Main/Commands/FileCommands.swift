import ArgumentParser
import FeedAPI
import FeedClientKit
import FeedTerminal
import Foundation
import Synchronization

/// Lists one's own files.
struct FilesCommand: AsyncParsableCommand {
    static let configuration = CommandConfiguration(commandName: "files", abstract: "List your files on the server.")

    @OptionGroup var global: GlobalOptions
    @Flag(help: "One JSON object per line.") var json = false

    func run() async throws {
        try await Failure.reported {
            let files = try await global.use { try await $0.files() }
            if json { return try Self.printJSON(files) }
            let width = min(48, files.map { DisplayWidth.of(SafeText.line($0.name)) }.max() ?? 0)
            for file in files {
                let size = ProgressBar.bytes(file.size)
                let pad = String(repeating: " ", count: max(0, 10 - size.count))
                print(
                    DisplayWidth.padded(SafeText.line(file.name), to: width) + pad + size + "  "
                        + SafeText.line(file.modified))
            }
        }
    }

    private static func printJSON(_ files: [Entity.File]) throws {
        let encoder = JSONEncoder()
        encoder.outputFormatting = [.sortedKeys, .withoutEscapingSlashes]
        for file in files { print(JSONText.line(try encoder.encode(file))) }
    }
}

/// Sends files.
struct UploadCommand: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "upload", abstract: "Store files on the server; prints each one's address.")

    @OptionGroup var global: GlobalOptions
    @Argument(help: .init("The files.", valueName: "file")) var files: [String]
    @OptionGroup var progress: ProgressOption

    func run() async throws {
        try await Failure.reported {
            let errors = try await global.use { client in
                var errors: [FeedClientError] = []
                for path in files {
                    do { try await send(path, client) } catch let error as FeedClientError {
                        if files.count > 1 { Failure.show("\(path): \(error.message)", hint: error.hint) }
                        errors.append(error)
                    }
                }
                return errors
            }
            guard let first = errors.first else { return }
            if files.count == 1 { throw first }
            throw ExitCode(errors.count < files.count ? 6 : Failure.code(for: first))
        }
    }

    private func send(_ path: String, _ client: FeedClient) async throws {
        let size = (try? FileManager.default.attributesOfItem(atPath: path)[.size] as? Int64) ?? nil
        let reporter = progress.reporter(label: URL(fileURLWithPath: path).lastPathComponent, total: size)
        defer { reporter.clear() }
        let stored = try await client.upload(path) { reporter.show(done: $0) }
        print(SafeText.line(stored.url))
    }
}

/// Fetches a file.
struct DownloadCommand: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "download", abstract: "Fetch a file; an interrupted download goes on where it ended.",
        discussion: "The file gets its name only when it is whole and checked.")

    @OptionGroup var global: GlobalOptions
    @Argument(help: .init("A file's name on the server, or a web address.", valueName: "name-or-url")) var source:
        String
    @Option(name: .shortAndLong, help: .init("Where to write it.", valueName: "path")) var output: String?
    @Option(help: "Bytes after which the state is made durable, such as 512KiB or 4MiB.") var chunkSize = ByteSize(
        bytes: 8 << 20)
    @Option(help: .init("What the file must be.", valueName: "sha-256:hex")) var checksum: String?
    @Flag(help: "Replace what is there, and forget what was begun.") var restart = false
    @OptionGroup var progress: ProgressOption

    func validate() throws {
        if let checksum, Self.digest(checksum) == nil {
            throw ValidationError("--checksum must be sha-256: and 64 hexadecimal digits.")
        }
    }

    func run() async throws {
        try await Failure.reported {
            var options = DownloadOptions()
            (options.chunkSize, options.restarts) = (chunkSize.bytes, restart)
            options.sha256 = checksum.flatMap(Self.digest)
            let result = try await Interruption.cancelling { [options] in try await download(options) }
            let resumed = result.resumedFrom > 0 ? ", went on at \(ProgressBar.bytes(result.resumedFrom))" : ""
            StandardError.line("\(ProgressBar.bytes(result.size)), verified: \(result.verification.rawValue)\(resumed)")
            print(SafeText.line(result.path))
        }
    }

    private func download(_ options: DownloadOptions) async throws -> DownloadResult {
        let (address, credential) = try place()
        return try await global.use(address, credential) { client in
            let reporter = progress.reporter(label: output ?? source, total: nil)
            defer { reporter.clear() }
            return try await client.download(source, to: output, options: options) {
                reporter.show(
                    done: $0.done, total: $0.total, base: $0.base, note: $0.retries > 0 ? "\($0.retries) retries" : "")
            }
        }
    }

    /// A web address needs no login: it is its own server.
    private func place() throws -> (ServerAddress, Credential?) {
        if let session = try? global.session() { return (session.address, session.login?.credential) }
        guard source.contains("://"), let parts = URLComponents(string: source), let host = parts.host,
            let scheme = parts.scheme
        else {
            return try (global.session().address, nil)
        }
        return (try ServerAddress("\(scheme)://\(host)" + (parts.port.map { ":\($0)" } ?? "")), nil)
    }

    private static func digest(_ text: String) -> String? {
        let lower = text.lowercased()
        guard lower.hasPrefix("sha-256:") else { return nil }
        let hex = String(lower.dropFirst(8))
        return hex.count == 64 && hex.allSatisfy(\.isHexDigit) ? hex : nil
    }
}
