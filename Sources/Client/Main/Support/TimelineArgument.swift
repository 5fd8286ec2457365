import ArgumentParser
import FeedClientKit

/// The name of a timeline on the command line.
struct TimelineArgument: ExpressibleByArgument {
    private static let list = "list:"

    let value: TimelineName

    init?(argument: String) {
        switch argument {
        case "home": value = .home
        case "public": value = .public
        case _ where argument.hasPrefix("@") && argument.count > 1: value = .account(String(argument.dropFirst()))
        case _ where argument.hasPrefix(Self.list) && argument.count > Self.list.count:
            value = .list(String(argument.dropFirst(Self.list.count)))
        default: return nil
        }
    }
}
