import ArgumentParser
import FeedClientKit
import FeedTerminal
import Foundation

/// The options of all commands.
struct GlobalOptions: ParsableArguments {
    @Option(help: "The server, instead of the one you are logged in to.") var server: String?
    @Option(
        name: .customLong("as"),
        help: .init("Another login of this machine, for this command only.", valueName: "@name[@server]"),
        completion: Completions.login)
    var account: String?
    @OptionGroup var trust: CertificateOptions
    @Flag(name: .shortAndLong, help: "Print requests and responses to standard error, without secrets.") var verbose =
        false

    @OptionGroup var pictures: CacheOptions

    static var folders: ClientFolders { ClientFolders(environment: ProcessInfo.processInfo.environment) }
    static var credentials: CredentialStore { CredentialStore(folder: folders.config) }
    static var outbox: Outbox { Outbox(folder: folders.state) }
    static var drafts: DraftStore { DraftStore(folder: folders.state) }
    static var listings: ShownStatusesStore { ShownStatusesStore(folder: folders.state) }

    /// Runs `body` with a client for the chosen server or the current login.
    /// - Parameter policy: How stored responses are used.
    func use<Value>(
        policy: CachePolicy = .useProtocol, _ body: (FeedClient) async throws -> Value
    ) async throws -> Value {
        let session = try session()
        return try await use(session.address, session.login?.credential, policy: policy, body)
    }

    /// Runs `body` with a client for a server, and shuts the client down afterwards.
    func use<Value>(
        _ address: ServerAddress, _ credential: Credential?, policy: CachePolicy = .useProtocol,
        _ body: (FeedClient) async throws -> Value
    ) async throws -> Value {
        // Without a network, a token cannot be renewed, and is not used.
        let current = policy == .cacheOnly ? credential : try await renewed(credential, address)
        return try await run(address, current, policy: policy, body)
    }

    /// A token that expires is replaced in time by a new one, which is stored.
    private func renewed(_ credential: Credential?, _ address: ServerAddress) async throws -> Credential? {
        guard case .renewable = credential,
            let login = try Self.credentials.logins().first(where: { $0.credential == credential })
        else { return credential }
        return try await run(address, nil) { try await $0.renewed(login, in: Self.credentials) }.credential
    }

    private func run<Value>(
        _ address: ServerAddress, _ credential: Credential?, policy: CachePolicy = .useProtocol,
        _ body: (FeedClient) async throws -> Value
    ) async throws -> Value {
        if let open = ReaderConnections.current {
            let client = try open.client(address, credential, policy) { try makeClient(address, credential, policy) }
            do { return try await body(client) } catch { throw Self.naming(address, error) }
        }
        let client = try makeClient(address, credential, policy)
        let result: Result<Value, any Error>
        do { result = .success(try await body(client)) } catch { result = .failure(Self.naming(address, error)) }
        await client.shutdown()
        return try result.get()
    }

    private func makeClient(
        _ address: ServerAddress, _ credential: Credential?, _ policy: CachePolicy
    ) throws -> FeedClient {
        var options = ConnectionOptions()
        options.proxy = try ProxySettings.from(environment: ProcessInfo.processInfo.environment, for: address)
        let authorities = try trust.authorities(for: address)
        let renewal = Self.renewal(of: credential) { [options, trace] in
            FeedClient(server: address, authorities: authorities, options: options, trace: trace)
        }
        return FeedClient(
            server: address, credential: credential, authorities: authorities, options: options,
            cache: Self.cache(address, credential), policy: policy, renewal: renewal, trace: trace,
            onSkip: { StandardError.line("warning: " + SafeText.line("\($0)")) })
    }

    /// Replaces a stored token that the server no longer accepts, although it has not said when it expires.
    /// - Parameter makeClient: Makes a client without a credential.
    private static func renewal(
        of credential: Credential?, _ makeClient: @escaping @Sendable () -> FeedClient
    ) -> FeedClient.Renewal? {
        guard case .renewable = credential,
            let login = try? credentials.logins().first(where: { $0.credential == credential })
        else { return nil }
        return { rejected in
            var login = login
            login.credential = rejected
            let client = makeClient()
            let result: Result<CredentialStore.Login, any Error>
            do { result = .success(try await client.renewed(login, in: credentials, isRejected: true)) } catch {
                result = .failure(error)
            }
            await client.shutdown()
            return try result.get().credential
        }
    }

    /// The responses that are stored for a login, or for a server without one; `nil` for an account that is not stored.
    private static func cache(_ address: ServerAddress, _ credential: Credential?) -> ResponseCache? {
        let logins = (try? credentials.logins()) ?? []
        let login = logins.first { $0.server == address.description && $0.credential == credential }
        guard credential == nil || login != nil else { return nil }
        return ResponseCache(folder: folders.state, owner: OfflineTimelines.owner(address, login))
    }

    /// Adds the server to an error of a request, if the user has several logins and might think of another one.
    private static func naming(_ server: ServerAddress, _ error: any Error) -> any Error {
        guard let error = error as? FeedClientError, error.isAboutServer(named: server.authority),
            let logins = try? credentials.logins(), logins.count > 1
        else { return error }
        return FeedClientError(
            error.code, "\(error.message) (\(server.authority))", hint: error.hint, cause: error.cause,
            status: error.status, retryAfter: error.retryAfter)
    }

    /// The server and the login to use there.
    func session() throws -> (address: ServerAddress, login: CredentialStore.Login?) {
        if let account {
            let login = try CredentialSelection(account).login(among: try logins())
            return (try ServerAddress(login.server), login)
        }
        let chosen = try chosenServer(environment: ProcessInfo.processInfo.environment)
        let logins = try Self.credentials.logins()
        if let chosen { return (chosen, logins.first { $0.server == chosen.description }) }
        guard let login = logins.first else {
            throw FeedClientError(
                .unauthorized, "Not logged in",
                hint: "Log in with feedclient login URL, or choose a server with --server URL.")
        }
        return (try ServerAddress(login.server), login)
    }

    /// The options for the login that they stand for now, whichever one other commands make the current one later.
    func pinned() throws -> GlobalOptions { try session().login.map(pinned(to:)) ?? self }

    func pinned(to login: CredentialStore.Login) -> GlobalOptions {
        var options = self
        // With the whole address, since another port or scheme may be another server.
        (options.account, options.server) = ("@\(login.username)@\(login.server)", nil)
        return options
    }

    /// Runs `body` with a client for the login of an account.
    /// - Throws: ``FeedClientError`` `.unauthorized` if there is no such login.
    func use<Value>(_ account: OutboxAccount, _ body: (FeedClient) async throws -> Value) async throws -> Value {
        guard let login = try Self.credentials.logins().first(where: { OutboxAccount($0) == account }) else {
            throw FeedClientError(
                .unauthorized, "Not logged in as @\(account.username) to \(account.server)",
                hint: "Log in with feedclient login \(account.server).")
        }
        return try await use(try ServerAddress(login.server), login.credential, body)
    }

    /// The stored logins, the current one first; with `--server`, only the logins at that server.
    func logins() throws -> [CredentialStore.Login] {
        // FEEDCLIENT_SERVER is a default, which the name of a login overrides.
        let chosen = try chosenServer(environment: [:])
        return try Self.credentials.logins().filter { chosen == nil || $0.server == chosen?.description }
    }

    private func chosenServer(environment: [String: String]) throws -> ServerAddress? {
        guard let text = server ?? environment["FEEDCLIENT_SERVER"], !text.isEmpty else { return nil }
        return try ServerAddress(text)
    }

    /// The username of the login to use; `nil` without one.
    var viewer: String? { (try? session())?.login?.username }

    /// The login to use, which may be a classic one.
    /// - Throws: ``FeedClientError`` `.unauthorized` if there is no login.
    func currentLogin() throws -> CredentialStore.Login {
        let session = try session()
        guard let login = session.login else {
            throw FeedClientError(
                .unauthorized, "Not logged in to \(session.address)",
                hint: "Log in with feedclient login \(session.address).")
        }
        return login
    }

    /// The login to use, which must permit everything.
    /// - Throws: ``FeedClientError`` `.unauthorized` if there is no login, or only a classic one.
    @discardableResult func login() throws -> CredentialStore.Login {
        let login = try currentLogin()
        guard login.isClassic else { return login }
        throw FeedClientError(
            .unauthorized, "The classic login to \(login.server) can only read and upload",
            hint: "Log in without --classic: feedclient login \(login.server).")
    }

    /// The id of a status, given its id or the end of it, its URL, or its number in the last listing.
    func statusID(_ text: String) async throws -> String { try await status(text).id }

    /// The status with this id, end of an id, URL, or number in the last listing.
    func status(_ text: String) async throws -> ReferencedStatus {
        let session = try session()
        let ids = TerminalIdentity.current.map { _ in Self.lastListing(session)?.items.map(\.id) ?? [] }
        return try await StatusReference.resolve(text, on: session.address, listing: ids) {
            await OfflineTimelines(session).ids(endingIn: $0)
        }
    }

    /// The last listing of an account on this terminal.
    static func lastListing(
        _ session: (address: ServerAddress, login: CredentialStore.Login?)
    ) -> ShownStatuses? {
        TerminalIdentity.current.flatMap { terminal in
            listings.listing(
                on: terminal, server: session.address.description, username: session.login?.username)
        }
    }

    private var trace: (@Sendable (String) -> Void)? {
        guard verbose else { return nil }
        return { text in StandardError.line(SafeText.block(text)) }
    }
}

extension FeedClientError {
    /// Whether a request has failed, and the message does not name the server. A local file may be missing, too.
    fileprivate func isAboutServer(named name: String) -> Bool {
        let isRequest = status != nil || [.network, .unreachable, .tryLater, .unauthorized, .notFound].contains(code)
        return isRequest && !(cause is POSIXError) && message.utf8.firstRange(of: name.utf8) == nil
    }
}

/// The option that names the certificate authorities to trust.
struct CertificateOptions: ParsableArguments {
    @Option(
        help: .init(
            "Trust the certificates in this file (PEM) instead of the system's; also SSL_CERT_FILE.",
            valueName: "file"))
    var cacert: String?

    /// The absolute path of the file; `nil` without the option.
    var file: String? { cacert?.absolutePath }

    /// The file that a login to this server has named.
    static func remembered(for address: ServerAddress) -> String? {
        guard address.description.hasPrefix("https:") else { return nil }
        let logins = try? GlobalOptions.credentials.logins()
        return logins?.first { $0.server == address.description && $0.cacert != nil }?.cacert
    }

    /// The option comes first, then the file of the login, then `SSL_CERT_FILE`.
    /// - Parameter address: The server. Over plain HTTP, an unusable file in the environment is ignored.
    /// - Returns: `nil` for the system's authorities.
    /// - Throws: ``FeedClientError`` `.usage` if the file contains no certificates.
    func authorities(for address: ServerAddress) throws -> CertificateAuthorities? {
        if let cacert { return try CertificateAuthorities(file: cacert) }
        if let file = Self.remembered(for: address) {
            do {
                return try CertificateAuthorities(file: file)
            } catch {
                throw FeedClientError(error.code, error.message, hint: "Log in again with --cacert FILE.")
            }
        }
        guard let file = ProcessInfo.processInfo.environment["SSL_CERT_FILE"], !file.isEmpty else { return nil }
        do {
            return try CertificateAuthorities(file: file)
        } catch {
            guard address.description.hasPrefix("https:") else { return nil }
            throw FeedClientError(error.code, "SSL_CERT_FILE: " + error.message, hint: error.hint)
        }
    }
}

extension String {
    /// A path from the root folder to what this one names in the current folder.
    var absolutePath: String { hasPrefix("/") ? self : FileManager.default.currentDirectoryPath + "/" + self }
}
