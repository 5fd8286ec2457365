import FeedAPI
import FeedClientKit

/// Prints a list of accounts page by page.
enum AccountOutput {
    /// - Parameters:
    ///   - isJSON: Whether to print entities, one per line.
    ///   - line: The line of an account.
    ///   - read: Passes each page to its argument, which returns whether to read on.
    /// - Returns: Whether there are no accounts.
    static func show(
        isJSON: Bool, line: @escaping (Entity.Account) -> String,
        read: (_ show: (_ page: [Entity.Account]) async throws -> Bool) async throws -> Void
    ) async throws -> Bool {
        let output = GrowingOutput()
        var isEmpty = true
        try await output.use {
            try await read { page in
                isEmpty = isEmpty && page.isEmpty
                return try isJSON
                    ? ScreenOutput.write(page.map { try EntityJSON.line($0) }) : output.show(page.map(line))
            }
        }
        return isEmpty
    }
}
