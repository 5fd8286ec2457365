import ArgumentParser
import FeedClientKit

/// The exit codes of `feedclient`, which its help lists.
extension ExitCode {
    static let usage = ExitCode(2)
    static let notFound = ExitCode(3)
    static let unauthorized = ExitCode(4)
    static let network = ExitCode(5)
    /// Some of several items failed.
    static let partlyDone = ExitCode(6)
    static let integrity = ExitCode(7)
    static let disk = ExitCode(8)
    static let tryLater = ExitCode(75)
    static let interrupted = ExitCode(130)

    init(_ error: FeedClientError) {
        self =
            switch error.code {
            // Nobody has tried to reach the server.
            case _ where error.cause is MissingResponse: .notFound
            case .usage: .usage
            case .notFound: .notFound
            case .unauthorized: .unauthorized
            case .network, .unreachable: .network
            case .integrity: .integrity
            case .disk: .disk
            case .tryLater: .tryLater
            default: .failure
            }
    }
}
