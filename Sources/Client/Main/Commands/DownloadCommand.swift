import ArgumentParser
import FeedClientKit
import FeedTerminal
import Foundation

/// Fetches a file.
struct DownloadCommand: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "download", abstract: "Fetch a file; an interrupted download goes on where it ended.",
        discussion: """
            The file gets its name only when it is whole and checked; until then it is PATH.part, with its state in \
            PATH.part.journal. Several connections are used as long as that makes it faster.
            """)

    @OptionGroup var global: GlobalOptions
    @Argument(help: .init("A file's name on the server, or a web address.", valueName: "name-or-url")) var source:
        String?
    @Option(name: .shortAndLong, help: .init("Where to write it.", valueName: "path")) var output: String?
    @Option(help: .init("Connections at once, 1 to 16; without it, up to 8 as they bring more.", valueName: "number"))
    var connections: Int?
    @Option(
        help: .init(
            "How finely progress is saved, such as 512KiB or 4MiB; without it, what fits the file.",
            valueName: "size"))
    var chunkSize: ByteSize?
    @Option(help: .init("What the file must be.", valueName: "sha-256:hex")) var checksum: String?
    @Flag(help: "Replace what is there, and forget what was begun.") var restart = false
    @Option(help: .init("Go on with an unfinished download, instead of an address.", valueName: "path")) var resume:
        String?
    @OptionGroup var progress: ProgressOption

    func validate() throws {
        if let checksum, Self.digest(checksum) == nil {
            throw ValidationError("--checksum must be sha-256: and 64 hexadecimal digits.")
        }
        if let connections, !(1...16).contains(connections) {
            throw ValidationError("--connections must be between 1 and 16.")
        }
        guard ![source, output, resume].contains("") else {
            throw ValidationError("Names, addresses and paths must not be empty.")
        }
        guard output != "-" else {
            throw ValidationError(
                "A file is checked before anybody sees it, so it cannot go to standard output; -o ./- names a file.")
        }
        guard (source == nil) != (resume == nil) else {
            throw ValidationError("Give either a name or address, or --resume with an unfinished file.")
        }
        if resume != nil, output != nil || restart {
            throw ValidationError("--resume knows where the file goes; leave out --output and --restart.")
        }
    }

    func run() async throws {
        try await Failure.reported {
            let (source, output) = try resume.map { try FeedClient.unfinished($0) } ?? (source ?? "", output)
            do {
                let result = try await Interruption.cancelling { try await download(source, output) }
                if progress.kind != .json { Self.say(result) }
                print(SafeText.line(result.path))
            } catch {
                sayHowToGoOn(source, output, after: error)
                throw error
            }
        }
    }

    private func download(_ source: String, _ output: String?) async throws -> DownloadResult {
        let (address, credential) = try place(source)
        var options = DownloadOptions()
        (options.chunkSize, options.connections) = (chunkSize?.bytes, connections)
        (options.restarts, options.sha256) = (restart, checksum.flatMap(Self.digest))
        return try await global.use(address, credential) { [options] client in
            let reporter = progress.reporter(label: output ?? source, total: nil)
            defer { reporter.clear() }
            let result = try await client.download(source, to: output, options: options) { reporter.show($0) }
            reporter.finish(
                size: result.size, verified: result.verification.rawValue, resumedFrom: result.resumedFrom)
            return result
        }
    }

    private static func say(_ result: DownloadResult) {
        let resumed = result.resumedFrom > 0 ? ", went on at \(ProgressBar.bytes(result.resumedFrom))" : ""
        StandardError.line("\(ProgressBar.bytes(result.size)), verified: \(result.verification.rawValue)\(resumed)")
    }

    /// After a failure the same command goes on too, unless it says that it begins anew.
    private func sayHowToGoOn(_ source: String, _ output: String?, after error: any Error) {
        let path = (try? FeedClient.destination(of: source, at: output)) ?? ""
        if (try? FeedClient.unfinished(path)) == nil {
            guard error is CancellationError else { return }
            StandardError.line("what was fetched cannot be gone on with; start again")
        } else if error is CancellationError || restart {
            let quoted = SafeText.line(path).replacingOccurrences(of: "'", with: "'\\''")
            StandardError.line("go on with: feedclient download --resume '\(quoted)'")
        }
    }

    /// A web address needs no login: it is its own server.
    private func place(_ source: String) throws -> (ServerAddress, Credential?) {
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
