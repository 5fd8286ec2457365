import ArgumentParser
import FeedClientKit
import FeedTerminal
import Foundation

/// Options every command has.
struct GlobalOptions: ParsableArguments {
    @Option(help: "The server to speak to; stands in for the stored login.") var server: String?
    @Flag(name: .shortAndLong, help: "Show requests and answers on standard error, without secrets.") var verbose =
        false

    /// Opens a client, runs `body`, and closes the client again.
    func use<Value>(_ body: (FeedClient) async throws -> Value) async throws -> Value {
        let client = try makeClient()
        let result: Result<Value, any Error>
        do { result = .success(try await body(client)) } catch { result = .failure(error) }
        await client.shutdown()
        return try result.get()
    }

    private func makeClient() throws -> FeedClient {
        guard let address = server ?? ProcessInfo.processInfo.environment["FEEDCLIENT_SERVER"], !address.isEmpty else {
            throw FeedClientError(
                .unauthorized, "No server is given",
                hint: "Name one with --server URL, or log in with feedclient login URL.")
        }
        return FeedClient(server: try ServerAddress(address), trace: trace)
    }

    private var trace: (@Sendable (String) -> Void)? {
        guard verbose else { return nil }
        return { text in StandardError.line(SafeText.block(text)) }
    }
}
