import FeedCore

/// An error reported by PostgreSQL or its client library.
struct PostgresError: Error, CustomStringConvertible {
    /// The SQLSTATE (PostgreSQL manual, appendix A); `nil` if the connection failed.
    let state: String?
    let message: String

    var description: String { [state, message].compactMap(\.self).joined(separator: " ") }

    /// Whether the connection is lost, or the server is starting, stopping or a standby.
    var isConnectionLoss: Bool {
        guard let state else { return true }
        return state.hasPrefix("08") || state.hasPrefix("57P") || state == "25006"
    }

    /// Converts a ``PostgresError`` or an ``EarlierJobError`` to a ``FeedError``; other errors are returned unchanged.
    static func translate(_ error: any Error) -> any Error {
        guard let error = error as? PostgresError ?? (error as? EarlierJobError)?.cause else { return error }
        if error.isConnectionLoss { return unreachable(error) }
        switch error.state ?? "" {
        case "53100":
            return FeedError.diskFull(error)
        case "40001", "40P01", "55P03", "57014", "53000", "53200", "53300":
            return FeedError(.unavailable, "The database is busy", hint: "Try again.", cause: error, retryAfter: 1)
        case "23503":
            return FeedError(.notFound, "A record this refers to no longer exists", cause: error)
        case "XX001", "XX002":
            return FeedError(
                .storage, "The database is damaged", hint: "Stop the servers and restore a backup.", cause: error)
        default:
            return FeedError(.storage, "The database reported an error", cause: error)
        }
    }

    static func unreachable(_ cause: any Error) -> FeedError {
        FeedError(.unavailable, "The database cannot be reached", hint: "Try again.", cause: cause, retryAfter: 2)
    }
}
