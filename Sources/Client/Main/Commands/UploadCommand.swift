import ArgumentParser
import FeedAPI
import FeedClientKit
import FeedTerminal
import Foundation

/// Uploads files.
struct UploadCommand: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "upload", abstract: "Upload files and print their URLs.")

    @OptionGroup var global: GlobalOptions
    @Argument(help: .init("The files to upload.", valueName: "file")) var files: [String]
    @OptionGroup var progress: ProgressOption

    func run() async throws {
        try await ErrorReporter.run {
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
            throw ExitCode(errors.count < files.count ? 6 : ExitCode.code(for: first))
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
