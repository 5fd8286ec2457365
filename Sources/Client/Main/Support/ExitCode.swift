import ArgumentParser
import FeedClientKit

/// The exit codes that `feedclient --help` lists.
extension ExitCode {
    static func code(for error: FeedClientError) -> Int32 {
        switch error.code {
        case .usage: 2
        case .notFound: 3
        case .unauthorized: 4
        case .network, .unreachable: 5
        case .integrity: 7
        case .disk: 8
        case .tryLater: 75
        default: 1
        }
    }
}
