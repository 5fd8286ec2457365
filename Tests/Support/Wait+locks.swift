import FeedCore
package import TestKit

extension Wait {
    /// Opens what is locked, once the lock is free: a program that another test is starting may have the locked file open
    /// for a moment.
    /// - Parameter open: Throws ``FeedError`` `.conflict` while the lock is held.
    /// - Throws: ``WaitTimeout``, and any other error of `open`.
    package static func untilFree<Value>(_ open: () throws -> Value) throws -> Value {
        var result: Result<Value, any Error>?
        try block(until: "the lock is free") {
            result = Result(catching: open)
            return !isConflict(result)
        }
        guard let result else { throw WaitTimeout(what: "the lock is free") }
        return try result.get()
    }

    private static func isConflict<Value>(_ result: Result<Value, any Error>?) -> Bool {
        guard case .failure(let error as FeedError)? = result else { return false }
        return error.kind == .conflict
    }
}
