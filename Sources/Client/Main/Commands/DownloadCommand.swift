public import ArgumentParser
import FeedClientKit
public import FeedTerminal
import Foundation
import Synchronization

/// Downloads files.
struct DownloadCommand: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "download", abstract: "Download files, or resume an interrupted download.",
        discussion: """
            Several files, also from a list with one name or URL per line, are downloaded at the same time, into the \
            current folder or the one of -o, and share one progress; those that exist already are skipped. A file appears under its name only when it is complete and verified. Until then it is PATH.part, and its \
            state is in PATH.part.journal. More connections are opened as long as they increase the rate.

              feedclient download notes.txt
              feedclient download https://feed.example/files/notes.txt -o copy.txt
              feedclient download a.jpg b.jpg -i list.txt -o pictures
            """)

    /// The JSON object that describes a finished download.
    struct Report: Encodable {
        var path: String
        /// In bytes.
        var size, resumed_from: Int64
        var sha256, verified: String

        init(_ result: DownloadResult) {
            (path, size, sha256) = (result.path, result.size, result.sha256)
            (resumed_from, verified) = (result.resumedFrom, result.verification.rawValue)
        }
    }

    @OptionGroup var global: GlobalOptions
    @Argument(help: .init("The names of files on the server, or URLs.", valueName: "name-or-url"))
    var names: [String] = []
    @Option(
        name: [.customShort("i"), .customLong("input")],
        help: .init("Also download what this file lists, one per line; - is standard input.", valueName: "list"))
    var list: String?
    @Option(name: .shortAndLong, help: .init("The file or folder to write to.", valueName: "path")) var output: String?
    @Option(help: .init("Simultaneous connections, 1 to 16 (default: up to 8, as needed).", valueName: "number"))
    var connections: Int?
    @Option(
        help: .init(
            "Granularity of resuming, such as 512KiB or 4MiB (default: suits the file).",
            valueName: "size"))
    var chunkSize: ByteSize?
    @Option(help: .init("The expected checksum.", valueName: "sha-256:hex")) var checksum: String?
    @Flag(help: "Replace an existing file and discard an unfinished download.") var restart = false
    @Option(help: .init("Resume the unfinished download at this path.", valueName: "path")) var resume: String?
    @Flag(help: "Print a JSON object with path, size, sha256, verified and resumed_from instead of the path.")
    var json = false
    @OptionGroup var progress: ProgressOptions

    func validate() throws {
        if let checksum, Self.digest(checksum) == nil {
            throw ValidationError("--checksum must be sha-256: and 64 hexadecimal digits.")
        }
        if let connections, !(1...16).contains(connections) {
            throw ValidationError("--connections must be between 1 and 16.")
        }
        guard !names.contains(""), ![list, output, resume].contains("") else {
            throw ValidationError("Names, URLs and paths must not be empty.")
        }
        guard output != "-" else {
            throw ValidationError(
                "A file is verified before it is visible, so it cannot go to standard output; for a file named -, use -o ./-."
            )
        }
        guard (names.isEmpty && list == nil) != (resume == nil) else {
            throw ValidationError("Enter either a name or URL, or --resume with the path of an unfinished download.")
        }
        guard checksum == nil || resume != nil || isSingle else {
            throw ValidationError("--checksum is possible with one file only.")
        }
        if resume != nil, output != nil || restart {
            throw ValidationError("--resume keeps the destination; it cannot be combined with --output and --restart.")
        }
    }

    private var isSingle: Bool { names.count == 1 && list == nil }

    func run() async throws {
        try await ErrorReporter.run {
            guard resume != nil || isSingle else { return try await runAll() }
            let unfinished = try resume.map { try UnfinishedDownload(at: $0) }
            let source = unfinished?.source ?? names.first ?? ""
            let destination = Mutex(unfinished?.destination)
            do {
                let result = try await InterruptHandler.cancelling {
                    try await download(source, unfinished) { path in destination.withLock { $0 = path } }
                }
                if progress.kind != .json { Self.report(result) }
                print(try json ? EntityJSON.line(Report(result)) : SafeText.line(result.path))
            } catch {
                guard let path = destination.withLock(\.self) else { throw error }
                throw explained(error, path)
            }
        }
    }

    private func runAll() async throws {
        let sources = names + (try list.map { try DownloadList.read($0) } ?? [])
        guard let first = sources.first else { throw FeedClientError(.failed, "The list is empty") }
        // Names are those of files on the server of the login.
        let session = try? global.session()
        let (address, credential) = try session.map { ($0.address, $0.login?.credential) } ?? server(of: first)
        let downloads = BatchDownload(
            sources: sources, folder: output, options: options, isJSON: json, progress: progress)
        try await InterruptHandler.cancelling(message: "interrupted; the same command resumes the downloads") {
            try await global.use(address, credential) { try await downloads.run($0) }
        }
    }

    private var options: DownloadOptions {
        var options = DownloadOptions()
        (options.chunkSize, options.connections) = (chunkSize?.bytes, connections)
        (options.restarts, options.sha256) = (restart, checksum.flatMap(Self.digest))
        return options
    }

    private func download(
        _ source: String, _ unfinished: UnfinishedDownload?, onDestination: @escaping @Sendable (String) -> Void
    ) async throws -> DownloadResult {
        let (address, credential) = try server(of: source)
        return try await global.use(address, credential) { [options] client in
            let path =
                if let unfinished { unfinished.destination } else {
                    try await client.destination(of: source, at: output)
                }
            onDestination(path)
            let reporter = progress.reporter(label: path, total: nil)
            defer { reporter.clear() }
            let show = { @Sendable (progress: DownloadProgress) in reporter.show(progress) }
            let result =
                if let unfinished {
                    try await client.resume(unfinished, options: options, progress: show)
                } else {
                    try await client.download(source, to: path, options: options, progress: show)
                }
            reporter.finish(
                size: result.size, verified: result.verification.rawValue, resumedFrom: result.resumedFrom)
            return result
        }
    }

    private static func report(_ result: DownloadResult) {
        let resumed = result.resumedFrom > 0 ? ", resumed at \(ByteSize.text(result.resumedFrom))" : ""
        StandardError.line("\(ByteSize.text(result.size)), verified: \(result.verification.rawValue)\(resumed)")
    }

    /// The error with a hint about which data is kept, and how to fetch the rest.
    private func explained(_ error: any Error, _ path: String) -> any Error {
        if !UnfinishedDownload.exists(at: path) {
            return error is CancellationError
                ? error.adding(hint: "This download cannot be resumed; start again.") : error
        }
        guard restart || Self.canContinue(after: error) else { return error }
        let (word, part) = (ShellWord.quoted(SafeText.line(path)), ShellWord.quoted(SafeText.line(path + ".part")))
        return error.adding(hint: "Partial download kept in \(part); resume with: feedclient download --resume \(word)")
    }

    private static func canContinue(after error: any Error) -> Bool {
        let codes: [FeedClientError.Code] = [.network, .unreachable, .tryLater, .disk]
        return error is CancellationError || (error as? FeedClientError).map { codes.contains($0.code) } == true
    }

    /// A URL needs no login, because it states its own server, perhaps another one than that of the login.
    private func server(of source: String) throws -> (ServerAddress, Credential?) {
        let session = try? global.session()
        guard source.contains("://"), let parts = URLComponents(string: source), let host = parts.host,
            let scheme = parts.scheme, session?.address.isOrigin(of: source) != true
        else {
            let session = try session ?? global.session()
            return (session.address, session.login?.credential)
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

extension ByteSize: ExpressibleByArgument {
    public init?(argument: String) { self.init(argument) }

    public var defaultValueDescription: String { bytes % (1 << 20) == 0 ? "\(bytes >> 20)MiB" : "\(bytes)" }
}
