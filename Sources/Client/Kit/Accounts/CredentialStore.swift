import Foundation

/// Logins on this machine: one file that only its owner can read, replaced as a whole.
public struct CredentialStore: Sendable {
    /// A login.
    public struct Login: Codable, Sendable, Equatable {
        public var server: String
        public var username: String
        public var credential: Credential
        /// Whether its token was made for this login, so that nobody else has it; `nil` when that is not known.
        public var isOwn: Bool?

        public init(server: String, username: String, credential: Credential, isOwn: Bool? = nil) {
            self.server = server
            self.username = username
            self.credential = credential
            self.isOwn = isOwn
        }

        /// Whether it is one of the classic dialect, which knows its user's name and password only.
        public var isClassic: Bool {
            if case .classic = credential { true } else { false }
        }
    }

    private struct Content: Codable {
        var logins: [Login] = []
    }

    private let folder: String
    private var path: String { folder + "/credentials.json" }

    /// - Parameter folder: The configuration folder; made when something is stored.
    public init(folder: String) { self.folder = folder }

    /// The logins, the current one first.
    /// - Throws: ``FeedClientError`` `.disk` when the file is there but makes no sense.
    public func logins() throws(FeedClientError) -> [Login] {
        guard let data = FileManager.default.contents(atPath: path) else {
            if FileManager.default.fileExists(atPath: path) { throw DurableFile.failure("read", path) }
            return []
        }
        do {
            return try JSONDecoder().decode(Content.self, from: data).logins
        } catch {
            throw FeedClientError(.disk, "\(path) is damaged", hint: "Remove it and log in again.", cause: error)
        }
    }

    /// Stores a login and makes it the current one.
    /// - Returns: What it replaces: an earlier login of the same user.
    /// - Throws: ``FeedClientError`` `.disk`.
    @discardableResult public func save(_ login: Login) throws(FeedClientError) -> Login? {
        let logins = try logins()
        try write([login] + logins.filter { !Self.isSame($0, login) })
        return logins.first { Self.isSame($0, login) }
    }

    /// Finds out whether a login could be stored, before there is one.
    /// - Throws: ``FeedClientError`` `.disk`.
    public func checkWritable() throws(FeedClientError) {
        _ = try logins()
        try Places.make(folder)
        let probe = path + ".probe-\(getpid())"
        let file = open(probe, O_WRONLY | O_CREAT | O_CLOEXEC | O_NOFOLLOW, 0o600)
        guard file >= 0 else { throw DurableFile.failure("write", path) }
        close(file)
        unlink(probe)
    }

    /// Forgets a login.
    public func remove(_ login: Login) throws(FeedClientError) {
        try write(try logins().filter { !Self.isSame($0, login) })
    }

    private static func isSame(_ one: Login, _ other: Login) -> Bool {
        one.server == other.server && one.username == other.username
    }

    private func write(_ logins: [Login]) throws(FeedClientError) {
        try Places.make(folder)
        let encoder = JSONEncoder()
        encoder.outputFormatting = [.prettyPrinted, .sortedKeys, .withoutEscapingSlashes]
        guard let data = try? encoder.encode(Content(logins: logins)) else {
            throw FeedClientError(.failed, "The logins cannot be written")
        }
        try DurableFile.replace(path, with: data)
    }
}
