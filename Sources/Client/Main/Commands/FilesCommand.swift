import ArgumentParser
import FeedAPI
import FeedClientKit
import FeedTerminal
import Foundation

/// Lists the files of the account.
struct FilesCommand: AsyncParsableCommand {
    static let configuration = CommandConfiguration(commandName: "files", abstract: "List your files on the server.")

    @OptionGroup var global: GlobalOptions
    @Flag(help: "Print one JSON object per line.") var json = false

    func run() async throws {
        try await ErrorReporter.run {
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
