import ArgumentParser
import FeedAPI
import FeedClientKit
import FeedTerminal

/// Lists and deletes the files of the account.
struct FilesCommand: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "files", abstract: "List or delete your files on the server.",
        discussion: """
              feedclient files
              feedclient files delete notes.txt
            """,
        subcommands: [List.self, Delete.self], defaultSubcommand: List.self)

    struct List: AsyncParsableCommand {
        static let configuration = CommandConfiguration(abstract: "List your files.")

        @OptionGroup var global: GlobalOptions
        @Flag(help: "Print one JSON object per line.") var json = false

        func run() async throws {
            try await ErrorReporter.run {
                try global.login()
                let files = try await global.use { try await $0.files() }
                if json {
                    for file in files { print(try EntityJSON.line(file)) }
                } else {
                    Self.show(files)
                }
            }
        }

        private static func show(_ files: [Entity.File]) {
            if files.isEmpty { StandardError.line("no files yet") }
            let width = min(48, files.map { TextWidth.columns(of: SafeText.line($0.name)) }.max() ?? 0)
            for file in files {
                let size = ByteSize.text(file.size)
                let pad = String(repeating: " ", count: max(0, 10 - size.count))
                print(
                    TextWidth.padded(SafeText.line(file.name), to: width) + pad + size + "  "
                        + LocalTime.full(iso: file.modified))
            }
        }
    }

    struct Delete: AsyncParsableCommand {
        static let configuration = CommandConfiguration(
            abstract: "Delete files.", discussion: "Exits with 6 if only some of them could be deleted.")

        @OptionGroup var global: GlobalOptions
        @Argument(help: .init("The names of the files.", valueName: "name")) var names: [String]

        func run() async throws {
            try await ErrorReporter.run {
                try global.login()
                try await global.use { client in
                    try await EachItem.run(names) { name in
                        try await client.deleteFile(named: name)
                        print("deleted \(SafeText.line(name))")
                    }
                }
            }
        }
    }
}
