import Foundation
package import TestKit

/// The environment of a user at a terminal: the client with its own folders.
package final class ClientHome: Sendable {
    package let folder: TemporaryFolder

    package init() throws { folder = try TemporaryFolder() }

    package var environment: [String: String] {
        [
            "XDG_CONFIG_HOME": folder.path + "/config", "XDG_STATE_HOME": folder.path + "/state",
            "XDG_CACHE_HOME": folder.path + "/cache", "COLUMNS": "80", "NO_COLOR": "1", "FEEDCLIENT_SERVER": "",
            "LC_ALL": "C.UTF-8",
        ]
    }

    /// Runs `feedclient`.
    package func run(_ arguments: String..., input: String = "", environment more: [String: String] = [:]) async throws
        -> Finished
    {
        try await run(arguments, input: input, environment: more)
    }

    /// Runs `feedclient`.
    package func run(_ arguments: [String], input: String = "", environment more: [String: String] = [:]) async throws
        -> Finished
    {
        try await Tool.run(
            Programs.feedclient, arguments, input: Data(input.utf8),
            environment: environment.merging(more) { _, new in new }, folder: folder.path)
    }

    /// Logs in with a password.
    package func login(_ server: ServerProcess, _ name: String, password: String = "secretsecret") async throws
        -> Finished
    {
        try await run("login", server.address, "--username", name, "--password-stdin", input: password + "\n")
    }
}
