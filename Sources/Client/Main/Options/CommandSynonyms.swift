import FeedTerminal

extension CommandSuggestion {
    /// Words of other programs, and of the Mastodon API.
    private static let synonyms = [
        "like": "favourite", "fav": "favourite", "star": "favourite", "reblog": "boost", "toot": "post",
        "tweet": "post", "publish": "post", "thread": "show", "status": "show", "whois": "user", "account": "user",
        "home": "timeline", "feed": "timeline", "rm": "delete", "remove": "delete", "signin": "login",
        "signout": "logout", "switch": "use", "unlike": "favourite --undo", "unfavourite": "favourite --undo",
        "unfavorite": "favourite --undo", "unboost": "boost --undo", "unreblog": "boost --undo",
        "unbookmark": "bookmark --undo", "unpin": "pin --undo", "dm": "conversations", "messages": "conversations",
        "browse": "open", "passwd": "password", "sessions": "logins", "server": "instance",
    ]

    /// - Parameter arguments: The arguments of the program, as ``GlobalOptionOrder`` sorts them.
    init?(_ arguments: [String]) { self.init(arguments, in: .root, synonyms: Self.synonyms) }
}

extension CommandNode {
    /// All commands.
    static var root: CommandNode { CommandNode(FeedclientCommand.self) }
}
