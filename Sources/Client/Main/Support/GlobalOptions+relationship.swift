import FeedAPI
import FeedClientKit
import FeedTerminal

extension GlobalOptions {
    /// Changes the relationship to an account and prints a line, or the Relationship entity.
    /// - Parameters:
    ///   - verb: For the message if the account is the user's own.
    ///   - text: The line without the handle, which follows it.
    ///   - note: What follows the handle; empty for nothing.
    ///   - change: Takes the id of the account.
    func relate(
        to name: String, _ verb: String, json: Bool, _ text: (Entity.Relationship) -> String,
        note: (Entity.Relationship) -> String = { _ in "" },
        _ change: (FeedClient, String) async throws -> Entity.Relationship
    ) async throws {
        try await ErrorReporter.run {
            let username = try login().username
            let (account, relationship) = try await use { client in
                let account = try await client.account(named: name)
                guard account.acct.lowercased() != username.lowercased() else {
                    throw FeedClientError(.failed, "You cannot \(verb) yourself")
                }
                return (account, try await change(client, account.id))
            }
            print(
                try json
                    ? EntityJSON.line(relationship)
                    : "\(text(relationship)) @" + SafeText.line(account.acct) + note(relationship))
        }
    }
}
