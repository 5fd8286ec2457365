import ArgumentParser
import FeedAPI
import FeedClientKit
import FeedTerminal
import Foundation
import Synchronization

/// Lists the files of the account.
struct FilesCommand: AsyncParsableCommand {
    static let configuration = CommandConfiguration(commandName: "files", abstract: "List your files on the server.")

    @OptionGroup var global: GlobalOptions
    @Flag(help: "Print one JSON object per line.") var json = false

    func run() async throws {
        try await Failure.reported {
            try global.login()
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

/// Uploads files.
struct UploadCommand: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "upload", abstract: "Upload files and print their URLs.")

    @OptionGroup var global: GlobalOptions
    @Argument(help: .init("The files to upload.", valueName: "file")) var files: [String]
    @OptionGroup var progress: ProgressOption

    func run() async throws {
        try await Failure.reported {
            try global.login()
            let errors = try await global.use { client in
                var errors: [FeedClientError] = []
                for path in files {
                    do { try await send(path, client) } catch let error as FeedClientError {
                        if files.count > 1 { StandardError.report("\(path): \(error.message)", hint: error.hint) }
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
        reporter.finish(size: stored.size, verified: "size only")
        print(SafeText.line(stored.url))
    }
}
