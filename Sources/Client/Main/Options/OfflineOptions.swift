import ArgumentParser
import FeedAPI
import FeedClientKit
import FeedTerminal

/// The option of commands that can read what is stored instead of asking the server.
struct OfflineOptions: ParsableArguments {
    @Flag(help: "Show what is stored, without a network.") var offline = false

    /// Says that a list ends because no more of it is stored.
    /// - Parameter isEnd: Whether everything that is stored has been shown.
    func tell(isEnd: Bool, _ things: String) {
        if offline, isEnd { StandardError.line("no older \(things) are stored") }
    }

    /// Runs `body` with a client that answers from what is stored, if the user wants that.
    func use<Value>(_ global: GlobalOptions, _ body: (FeedClient) async throws -> Value) async throws -> Value {
        try await global.use(policy: offline ? .cacheOnly : .useProtocol, body)
    }

    /// Reads an entity, and looks for it in the stored timelines, too, if there is no network to be used and no stored
    /// response.
    func find<Value>(
        _ global: GlobalOptions, _ body: (FeedClient) async throws -> Value,
        orStored stored: (OfflineTimelines) async throws -> Value?
    ) async throws -> Value {
        do { return try await use(global, body) } catch let error as FeedClientError
            where offline && error.code == .unreachable
        {
            guard let value = try await stored(OfflineTimelines(try global.session())) else { throw error }
            return value
        }
    }
}

extension GlobalOptions {
    /// A stored status, for what can be done without a network.
    /// - Throws: `error` if it does not say that the server cannot be reached, or if the status is not stored.
    func storedStatus(_ id: String, insteadOf error: FeedClientError) async throws -> TimelineEntry {
        guard [.unreachable, .network].contains(error.code),
            let entry = try? await OfflineTimelines(session()).statuses().status(id)
        else { throw error }
        return entry
    }
}
