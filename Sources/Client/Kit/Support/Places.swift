import Foundation

/// Where the client keeps its things, by the XDG base directory specification.
public struct Places: Sendable {
    /// Credentials.
    public let config: String
    /// What was read, for offline.
    public let state: String
    /// What can be fetched again.
    public let cache: String

    /// - Parameter environment: `XDG_CONFIG_HOME`, `XDG_STATE_HOME`, `XDG_CACHE_HOME` and `HOME` count.
    public init(environment: [String: String] = [:]) {
        func place(_ variable: String, _ fallback: String) -> String {
            let home = environment["HOME"] ?? NSHomeDirectory()
            // A relative path there is to be ignored, says the specification.
            let base = environment[variable].flatMap { $0.hasPrefix("/") ? $0 : nil } ?? home + "/" + fallback
            return base + "/feedclient"
        }
        config = place("XDG_CONFIG_HOME", ".config")
        state = place("XDG_STATE_HOME", ".local/state")
        cache = place("XDG_CACHE_HOME", ".cache")
    }

    /// Makes a folder that only its owner can read.
    /// - Throws: ``FeedClientError`` `.disk`.
    public static func make(_ folder: String) throws(FeedClientError) {
        do {
            try FileManager.default.createDirectory(
                atPath: folder, withIntermediateDirectories: true, attributes: [.posixPermissions: 0o700])
        } catch {
            let isFull = (error as? CocoaError)?.code == .fileWriteOutOfSpace
            throw FeedClientError(
                .disk, "Cannot create \(folder)",
                hint: isFull ? "Free some space and try again." : "Check who owns the folder above it.", cause: error)
        }
    }
}
