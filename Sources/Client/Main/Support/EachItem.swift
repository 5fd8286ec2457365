import ArgumentParser
import FeedClientKit
import FeedTerminal

/// Performs the same operation on each item of a command, even after some have failed.
enum EachItem {
    /// - Throws: The error of a single item. If there are several, their errors are reported at once, and the exit code
    ///   is 6 if some succeeded, otherwise the code of the first error.
    static func run(_ items: [String], _ body: (String) async throws -> Void) async throws {
        var errors: [FeedClientError] = []
        for item in items {
            do {
                try await body(item)
            } catch let error as FeedClientError {
                if items.count > 1 { StandardError.report("\(item): \(error.message)", hint: error.hint) }
                errors.append(error)
            }
        }
        guard let first = errors.first else { return }
        if items.count == 1 { throw first }
        throw ExitCode(errors.count < items.count ? 6 : ExitCode.code(for: first))
    }
}
