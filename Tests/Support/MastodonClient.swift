package import Foundation

/// A third-party client in Python, mostly of the Mastodon API, as installed by `scripts/foreign-clients`.
package struct MastodonClient: Sendable {
    package static let toot = MastodonClient(folder: "toot", program: "toot")
    package static let mastodonPy = MastodonClient(folder: "mastodon.py", program: "python")
    /// toot 0.34.1 and Mastodon.py 1.8.0, as in Debian 12.
    package static let oldToot = MastodonClient(folder: "debian12", program: "toot")
    package static let oldMastodonPy = MastodonClient(folder: "debian12", program: "python")
    /// The Prometheus client, which has a parser of metrics.
    package static let prometheus = MastodonClient(folder: "prometheus", program: "python")

    /// The Python packages h2, hpack and hyperframe, with which tests write HTTP/2 frames.
    package static let h2 = MastodonClient(folder: "h2", program: "python")

    /// PyPI's websockets.
    package static let websockets = MastodonClient(folder: "websockets", program: "python")

    /// The parser of feeds that most Python programs use.
    package static let feedparser = MastodonClient(folder: "feedparser", program: "python")

    /// A parser of microformats.
    package static let mf2py = MastodonClient(folder: "mf2py", program: "python")

    /// Playwright, which drives Chromium, with axe, which checks pages.
    package static let playwright = MastodonClient(folder: "playwright", program: "python")

    /// A feed reader for terminals, which scripts without any package drive.
    package static let newsboat = MastodonClient(folder: nil, program: "newsboat")

    /// Chromium, which scripts without any package drive.
    package static let chromium = MastodonClient(folder: nil, program: "chromium")

    /// An IRC gateway, which scripts without any package drive.
    package static let bitlbee = MastodonClient(folder: nil, program: "bitlbee")

    /// `nil` for a program, and Python, from Debian.
    private let folder: String?
    private let program: String

    /// `FEED_CLIENTS_DIR`, or `feedserver-tests` in the user's cache folder.
    private static var root: String {
        let environment = ProcessInfo.processInfo.environment
        if let set = environment["FEED_CLIENTS_DIR"] { return set }
        let cache = environment["XDG_CACHE_HOME"] ?? (environment["HOME"] ?? "/") + "/.cache"
        return cache + "/feedserver-tests"
    }

    private func path(_ name: String) -> String { folder.map { "\(Self.root)/\($0)/bin/\(name)" } ?? name }

    private var python: String { folder == nil ? "python3" : path("python") }

    /// Whether the client is installed. If it is required (`FEED_REQUIRE_CLIENTS=1`), a missing one is not skipped.
    package var isInstalled: Bool {
        guard folder != nil else { return Tool.isInstalled(program) && Tool.isInstalled(python) }
        return Tool.isRequired || FileManager.default.isExecutableFile(atPath: path(program))
    }

    /// Runs a driver script with the Python installed beside the client.
    /// - Parameter address: The server, as in `http://HOST:PORT`.
    package func drive(_ script: URL, at address: String) async throws -> Finished {
        try await drive(script, arguments: [address])
    }

    /// Runs a script with the Python installed beside the client.
    /// - Parameter output: A file to which the standard output is appended while the script runs; `nil` to return it.
    package func drive(_ script: URL, arguments: [String], output: String? = nil) async throws -> Finished {
        let environment = ["PYTHONDONTWRITEBYTECODE": "1", "PYTHONIOENCODING": "utf-8"]
        let command = [python, script.path] + arguments
        guard let output else {
            return try await Tool.run(command[0], Array(command.dropFirst()), environment: environment)
        }
        let shell = ["-c", "exec \"$@\" >>'\(output)'", "sh"] + command
        return try await Tool.run("/bin/sh", shell, environment: environment)
    }
}
