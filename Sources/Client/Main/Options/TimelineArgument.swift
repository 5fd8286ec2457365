import ArgumentParser
import FeedClientKit

/// The name of a timeline on the command line.
struct TimelineArgument: ExpressibleByArgument {
    private static let named: [String: TimelineName] = [
        "home": .home, "public": .public, "local": .local, "favourites": .favourites, "favorites": .favourites,
        "bookmarks": .bookmarks,
    ]
    private static let list = "list:"
    /// A shell treats the second one as a comment unless it is quoted.
    private static let tags = ["tag:", "#"]

    let value: TimelineName

    /// - Parameter argument: A bare name means an account.
    init?(argument: String) {
        if let named = Self.named[argument] {
            value = named
        } else if let name = Self.rest(of: argument, after: Self.list) {
            value = .list(name)
        } else if Self.tags.contains(where: argument.hasPrefix) {
            guard let tag = Self.tag(argument) else { return nil }
            value = .tag(tag)
        } else if let handle = AccountHandle(argument) {
            value = .account(handle.acct)
        } else {
            let name = argument.hasPrefix("@") ? argument.dropFirst() : argument[...]
            guard !name.isEmpty, !name.contains(where: { $0.isWhitespace || $0 == ":" || $0 == "/" }) else {
                return nil
            }
            value = .account(String(name))
        }
    }

    /// `rust`, for `tag:rust`, `#rust` and `tag:#rust`.
    private static func tag(_ argument: String) -> String? {
        guard let name = tags.compactMap({ rest(of: argument, after: $0) }).first else { return nil }
        let bare = name.hasPrefix("#") ? String(name.dropFirst()) : name
        return bare.isEmpty || bare.contains(where: \.isWhitespace) ? nil : bare
    }

    private static func rest(of argument: String, after prefix: String) -> String? {
        argument.hasPrefix(prefix) && argument.count > prefix.count ? String(argument.dropFirst(prefix.count)) : nil
    }

    /// The words that a shell offers besides names.
    static let words = ["home", "public", "local", "favourites", "bookmarks", "tag:", "list:"]
}
