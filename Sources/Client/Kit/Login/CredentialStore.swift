import FeedFolders
import Foundation

/// The logins on this machine, in one file that only its owner can read.
public struct CredentialStore: Sendable {
    /// An account on a server.
    public struct Login: Codable, Sendable, Equatable {
        public var server: String
        public var username: String
        public var credential: Credential
        /// Whether the token was issued for this login alone, so that it can be revoked; `nil` if unknown.
        public var isOwn: Bool?
        /// The absolute path of the file with the certificate authorities to trust; `nil` for those of the system.
        public var cacert: String?

        public init(server: String, username: String, credential: Credential, isOwn: Bool? = nil) {
            self.server = server
            self.username = username
            self.credential = credential
            self.isOwn = isOwn
        }

        /// Whether the login is for the classic dialect, which supports only username and password.
        public var isClassic: Bool {
            if case .classic = credential { true } else { false }
        }
    }

    private struct Content: Codable {
        var logins: [Login] = []
        /// The registrations of this program, by server.
        var applications: [String: ApplicationRegistration]?
    }

    private static let fileName = "credentials.json"
    private static let lockName = "credentials.lock"

    private let folder: String
    private var path: String { folder + "/" + Self.fileName }

    /// - Parameter folder: The configuration folder; it is created when something is stored.
    public init(folder: String) { self.folder = folder }

    /// All logins, the current one first.
    /// - Throws: ``FeedClientError`` `.disk` if the file exists but cannot be read.
    public func logins() throws(FeedClientError) -> [Login] { try read().logins }

    /// Stores a login and makes it the current one.
    /// - Returns: The earlier login of the same account, which it replaces.
    /// - Throws: ``FeedClientError`` `.disk`.
    @discardableResult public func save(_ login: Login) throws(FeedClientError) -> Login? {
        var content = try read()
        let previous = content.logins.first { Self.isSameAccount($0, login) }
        content.logins = [login] + content.logins.filter { !Self.isSameAccount($0, login) }
        try write(content)
        return previous
    }

    /// Makes a stored login the current one.
    /// - Throws: ``FeedClientError`` `.disk`.
    public func select(_ login: Login) throws(FeedClientError) {
        var content = try read()
        guard let stored = content.logins.first(where: { Self.isSameAccount($0, login) }) else { return }
        content.logins = [stored] + content.logins.filter { !Self.isSameAccount($0, login) }
        try write(content)
    }

    /// Removes a login.
    /// - Throws: ``FeedClientError`` `.disk`.
    public func remove(_ login: Login) throws(FeedClientError) {
        var content = try read()
        content.logins.removeAll { Self.isSameAccount($0, login) }
        try write(content)
    }

    /// The registration of this program with a server.
    /// - Throws: ``FeedClientError`` `.disk`.
    public func application(of server: ServerAddress) throws(FeedClientError) -> ApplicationRegistration? {
        try read().applications?[server.description]
    }

    /// Stores the registration of this program with a server.
    /// - Throws: ``FeedClientError`` `.disk`.
    public func save(_ application: ApplicationRegistration, of server: ServerAddress) throws(FeedClientError) {
        var content = try read()
        content.applications = (content.applications ?? [:]).merging([server.description: application]) { $1 }
        try write(content)
    }

    /// Checks that a login can be stored, before the server issues a token for it.
    /// - Throws: ``FeedClientError`` `.disk`.
    public func checkWritable() throws(FeedClientError) {
        _ = try read()
        let opened = try ClientFolders.create(in: folder)
        let probe = TemporaryName.make(for: Self.fileName)
        close(try AtomicFile.create(probe, in: opened))
        _ = try? opened.removeFile(probe)
    }

    private static func isSameAccount(_ one: Login, _ other: Login) -> Bool {
        one.server == other.server && one.username == other.username
    }

    private func read() throws(FeedClientError) -> Content {
        guard let data = FileManager.default.contents(atPath: path) else {
            if FileManager.default.fileExists(atPath: path) { throw AtomicFile.failure("read", path) }
            return Content()
        }
        do {
            return try JSONDecoder().decode(Content.self, from: data)
        } catch {
            throw FeedClientError(.disk, "\(path) is damaged", hint: "Remove it and log in again.", cause: error)
        }
    }

    private func write(_ content: Content) throws(FeedClientError) {
        let encoder = JSONEncoder()
        encoder.outputFormatting = [.prettyPrinted, .sortedKeys, .withoutEscapingSlashes]
        guard let data = try? encoder.encode(content) else {
            throw FeedClientError(.failed, "The logins cannot be encoded")
        }
        try AtomicFile.replace(Self.fileName, in: ClientFolders.create(in: folder), with: data)
    }
}

extension CredentialStore {
    /// The pause between two attempts to lock the logins.
    private static let lockPause = Duration.milliseconds(50)

    /// Runs `body` while no other process does. Servers revoke a login whose refresh token is used twice.
    /// - Throws: ``FeedClientError`` `.disk`, `CancellationError`, and the errors of `body`.
    func locked<Value>(_ body: () async throws -> Value) async throws -> Value {
        let opened = try ClientFolders.create(in: folder)
        let file = SystemCalls.system.open(Self.lockName, in: opened, O_RDWR | O_CREAT, 0o600)
        guard file >= 0 else { throw AtomicFile.failure("open", Self.lockName, in: opened) }
        defer { close(file) }
        while SystemCalls.system.lock(file) != 0 {
            guard errno == EWOULDBLOCK || errno == EINTR else {
                throw AtomicFile.failure("lock", Self.lockName, in: opened)
            }
            try await Task.sleep(for: Self.lockPause)
        }
        return try await body()
    }

    /// The login of the same account, as it is stored now.
    /// - Throws: ``FeedClientError`` `.disk`.
    func stored(_ login: Login) throws(FeedClientError) -> Login? {
        try read().logins.first { Self.isSameAccount($0, login) }
    }

    /// Replaces the login of the same account, which keeps its place.
    /// - Throws: ``FeedClientError`` `.disk`.
    func update(_ login: Login) throws(FeedClientError) {
        var content = try read()
        guard let index = content.logins.firstIndex(where: { Self.isSameAccount($0, login) }) else { return }
        content.logins[index] = login
        try write(content)
    }
}
