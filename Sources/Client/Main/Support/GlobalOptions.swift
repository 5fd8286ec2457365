import ArgumentParser
import FeedClientKit
import FeedTerminal
import Foundation

/// Options every command has.
struct GlobalOptions: ParsableArguments {
    @Option(help: "The server to speak to; stands in for the stored login.") var server: String?
    @Flag(name: .shortAndLong, help: "Show requests and answers on standard error, without secrets.") var verbose =
        false

    static var places: Places { Places(environment: ProcessInfo.processInfo.environment) }
    static var credentials: CredentialStore { CredentialStore(folder: places.config) }

    /// Opens a client for the named server, or for the current login, runs `body`, and closes the client again.
    func use<Value>(_ body: (FeedClient) async throws -> Value) async throws -> Value {
        let session = try session()
        return try await use(session.address, session.login?.credential, body)
    }

    /// The same, when the server must be known by other means.
    func use<Value>(
        _ address: ServerAddress, _ credential: Credential?, _ body: (FeedClient) async throws -> Value
    ) async throws -> Value {
        let client = FeedClient(server: address, credential: credential, trace: trace)
        let result: Result<Value, any Error>
        do { result = .success(try await body(client)) } catch { result = .failure(error) }
        await client.shutdown()
        return try result.get()
    }

    /// Where to speak to and as whom.
    func session() throws -> (address: ServerAddress, login: CredentialStore.Login?) {
        let logins = try Self.credentials.logins()
        if let named = server ?? ProcessInfo.processInfo.environment["FEEDCLIENT_SERVER"], !named.isEmpty {
            let address = try ServerAddress(named)
            return (address, logins.first { $0.server == address.description })
        }
        guard let login = logins.first else {
            throw FeedClientError(
                .unauthorized, "Not logged in",
                hint: "Log in with feedclient login URL, or name a server with --server URL.")
        }
        return (try ServerAddress(login.server), login)
    }

    /// The login this runs with, which must be one that can do everything.
    /// - Throws: ``FeedClientError`` `.unauthorized` without one.
    @discardableResult func login() throws -> CredentialStore.Login {
        let session = try session()
        guard let login = session.login else {
            throw FeedClientError(
                .unauthorized, "Not logged in to \(session.address)",
                hint: "Log in with feedclient login \(session.address).")
        }
        guard login.isClassic else { return login }
        throw FeedClientError(
            .unauthorized, "The classic login to \(session.address) can only read",
            hint: "Log in without --classic: feedclient login \(session.address).")
    }

    /// The id of a status that was named by its id or its address.
    func statusID(_ text: String) throws -> String { try session().address.statusID(text) }

    private var trace: (@Sendable (String) -> Void)? {
        guard verbose else { return nil }
        return { text in StandardError.line(SafeText.block(text)) }
    }
}
