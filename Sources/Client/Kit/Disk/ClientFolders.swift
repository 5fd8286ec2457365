import FeedFolders
import Foundation

/// The folders in which the client stores its files, according to the XDG Base Directory Specification.
public struct ClientFolders: Sendable {
    /// The folder for credentials.
    public let config: String
    /// The folder for timelines that can be read offline, and for posts and texts that have not been sent, which exist only
    /// there.
    public let state: String
    /// The folder for data that can be downloaded again.
    public let cache: String

    /// - Parameter environment: Environment variables; `XDG_CONFIG_HOME`, `XDG_STATE_HOME`, `XDG_CACHE_HOME` and `HOME`
    ///   are used.
    public init(environment: [String: String] = [:]) {
        func folder(_ variable: String, _ standard: String) -> String {
            let home = environment["HOME"] ?? NSHomeDirectory()
            // The specification requires relative paths to be ignored.
            let base = environment[variable].flatMap { $0.hasPrefix("/") ? $0 : nil } ?? home + "/" + standard
            return base + "/feedclient"
        }
        config = folder("XDG_CONFIG_HOME", ".config")
        state = folder("XDG_STATE_HOME", ".local/state")
        cache = folder("XDG_CACHE_HOME", ".cache")
    }

    /// Creates a folder that only its owner can read, unless it exists.
    /// - Throws: ``FeedClientError`` `.disk`.
    public static func create(_ folder: String) throws(FeedClientError) {
        do {
            try FileManager.default.createDirectory(
                atPath: folder, withIntermediateDirectories: true, attributes: [.posixPermissions: 0o700])
        } catch {
            let isFull = (error as? CocoaError)?.code == .fileWriteOutOfSpace
            throw FeedClientError(
                .disk, "Cannot create \(folder)",
                hint: isFull ? "Free some space and try again." : "Check who owns its parent folder.", cause: error)
        }
    }
}

extension ClientFolders {
    /// Opens a folder below one of these, which may itself be a symbolic link; nothing below it may.
    /// - Parameter names: The names of the folder and of those that contain it, from the outside in.
    /// - Returns: `nil` if there is no such folder.
    /// - Throws: ``FeedClientError`` `.disk`.
    static func open(
        _ names: [String], in folder: String, calls: SystemCalls = .system
    ) throws(FeedClientError) -> Folder? {
        do throws(FolderError) {
            return try descend(names, from: folder, creating: false, calls)
        } catch {
            if error.code == ENOENT { return nil }
            throw AtomicFile.failure("open", error)
        }
    }

    /// Opens one of these folders or one below it, and creates what is missing, so that only its owner can access it.
    /// - Throws: ``FeedClientError`` `.disk`.
    static func create(
        _ names: [String] = [], in folder: String, calls: SystemCalls = .system
    ) throws(FeedClientError) -> Folder {
        try create(folder)
        do throws(FolderError) {
            return try descend(names, from: folder, creating: true, calls)
        } catch {
            throw AtomicFile.failure("create", error)
        }
    }

    private static func descend(
        _ names: [String], from folder: String, creating: Bool, _ calls: SystemCalls
    ) throws(FolderError) -> Folder {
        var current = try calls.folder(folder)
        for name in names { current = try calls.folder(name, in: current, creating: creating) }
        return current
    }
}
