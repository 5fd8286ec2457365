/// The commands that the user may have meant by an unknown word. Pure.
struct CommandSuggestion: Equatable {
    private static let maximumSuggestions = 3
    private static let minimumPrefix = 3
    /// Words of other programs, and of the Mastodon API.
    private static let synonyms = [
        "like": "favourite", "fav": "favourite", "star": "favourite", "reblog": "boost", "toot": "post",
        "tweet": "post", "publish": "post", "thread": "show", "status": "show", "whois": "user", "account": "user",
        "home": "timeline", "feed": "timeline", "rm": "delete", "remove": "delete", "signin": "login",
        "signout": "logout", "switch": "use", "unlike": "favourite --undo", "unfavourite": "favourite --undo",
        "unfavorite": "favourite --undo", "unboost": "boost --undo", "unreblog": "boost --undo",
        "unbookmark": "bookmark --undo", "unpin": "pin --undo",
    ]

    /// The words of the command up to the unknown one.
    let command: [String]
    /// The best first; may be empty.
    let suggestions: [String]

    /// - Parameter arguments: The arguments of the program, as ``GlobalOptionOrder`` sorts them.
    /// - Returns: `nil` if the command exists.
    init?(_ arguments: [String], in root: CommandNode = .root) {
        guard let (parent, known, word) = Self.unknown(arguments, root) else { return nil }
        command = known + [word]
        suggestions = Self.near(word, parent).map { (known + [$0]).joined(separator: " ") }
    }

    /// The first word that should be a command but is not, with the command before it.
    private static func unknown(
        _ arguments: [String], _ root: CommandNode
    ) -> (parent: CommandNode, known: [String], word: String)? {
        var (node, known) = (root, [String]())
        for word in arguments {
            guard let child = node.child(word) else {
                return node.children.isEmpty || word.hasPrefix("-") || word == "help" ? nil : (node, known, word)
            }
            node = child
            known.append(word)
        }
        return nil
    }

    var message: String { "There is no command \"" + command.joined(separator: " ") + "\"" }

    var hint: String {
        guard !suggestions.isEmpty else {
            return (["feedclient"] + command.dropLast() + ["--help lists the commands."]).joined(separator: " ")
        }
        return "Did you mean " + suggestions.map { "feedclient " + $0 }.joined(separator: " or ") + "?"
    }

    private static func near(_ word: String, _ node: CommandNode) -> [String] {
        let word = word.lowercased()
        if let synonym = synonyms[word], node.child(String(synonym.prefix { $0 != " " })) != nil { return [synonym] }
        let ranked = node.children.compactMap { child in
            ([child.name] + child.aliases).compactMap { rank(word, $0) }.min().map { (child.name, $0) }
        }
        let best = ranked.map(\.1).min()
        return Array(ranked.filter { $0.1 == best }.map(\.0).prefix(maximumSuggestions))
    }

    /// How far a name is from a word; `nil` if they have little in common.
    private static func rank(_ word: String, _ name: String) -> Int? {
        if word.count >= minimumPrefix, name.hasPrefix(word) { return 0 }
        let distance = EditDistance.between(word, name)
        return distance <= max(1, name.count / 3) && distance < name.count ? distance : nil
    }
}
