package import ArgumentParser

/// The commands that the user may have meant by an unknown word.
package struct CommandSuggestion: Equatable {
    private static let maximumSuggestions = 3
    private static let minimumPrefix = 3

    /// The words of the command up to the unknown one.
    private let command: [String]
    private let program: String
    /// The best first; may be empty.
    package let suggestions: [String]

    /// - Parameters:
    ///   - arguments: The arguments of the program, the command first.
    ///   - root: The program.
    ///   - synonyms: Commands by words of other programs.
    /// - Returns: `nil` if the command exists.
    package init?(_ arguments: [String], in root: CommandNode, synonyms: [String: String] = [:]) {
        guard let (parent, known, word) = Self.unknown(arguments, root) else { return nil }
        program = root.name
        command = known + [word]
        suggestions = Self.near(word, parent, synonyms).map { (known + [$0]).joined(separator: " ") }
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

    package var message: String { "Unknown command \"" + command.joined(separator: " ") + "\"" }

    package var hint: String {
        guard !suggestions.isEmpty else {
            return ([program] + command.dropLast() + ["--help lists the commands."]).joined(separator: " ")
        }
        return "Did you mean " + suggestions.map { program + " " + $0 }.joined(separator: " or ") + "?"
    }

    private static func near(_ word: String, _ node: CommandNode, _ synonyms: [String: String]) -> [String] {
        let word = word.lowercased()
        if let synonym = synonyms[word], node.child(String(synonym.prefix { $0 != " " })) != nil { return [synonym] }
        let ranked = node.children.filter { !$0.isInternal }.compactMap { child in
            ([child.name] + child.aliases).compactMap { rank(word, $0) }.min().map { (child.name, $0) }
        }
        let best = ranked.map(\.1).min()
        return Array(ranked.filter { $0.1 == best }.map(\.0).prefix(maximumSuggestions))
    }

    /// The distance of a name from a word; `nil` if they have little in common.
    private static func rank(_ word: String, _ name: String) -> Int? {
        if word.count >= minimumPrefix, name.hasPrefix(word) { return 0 }
        let distance = EditDistance.between(word, name)
        return distance <= max(1, name.count / 3) && distance < name.count ? distance : nil
    }
}

/// A command and its subcommands.
package struct CommandNode: Sendable {
    package let name: String
    package let aliases: [String]
    package let children: [CommandNode]
    /// Whether only the program itself uses the command, so that help does not list it.
    fileprivate let isInternal: Bool

    package init(
        _ name: String, aliases: [String] = [], isInternal: Bool = false, _ children: [CommandNode] = []
    ) {
        (self.name, self.aliases, self.isInternal, self.children) = (name, aliases, isInternal, children)
    }

    package init(_ command: any ParsableCommand.Type) {
        let configuration = command.configuration
        self.init(
            command._commandName, aliases: configuration.aliases, isInternal: !configuration.shouldDisplay,
            configuration.subcommands.map { CommandNode($0) })
    }

    package func child(_ word: String) -> CommandNode? {
        children.first { $0.name == word || $0.aliases.contains(word) }
    }
}

/// The number of typing errors between two words.
package enum EditDistance {
    /// Words are compared up to this length, so that the work is bounded.
    private static let maximumLength = 64

    /// The number of insertions, deletions, replacements, and exchanges of neighbors that turn one word into the other
    /// (optimal string alignment).
    package static func between(_ one: String, _ other: String) -> Int {
        let (first, second) = (Array(one.prefix(maximumLength)), Array(other.prefix(maximumLength)))
        var (before, previous) = ([Int](), Array(0...second.count))
        for (row, character) in first.enumerated() {
            var current = [row + 1]
            for (column, target) in second.enumerated() {
                var best = previous[column] + (character == target ? 0 : 1)
                best = min(best, previous[column + 1] + 1, current[column] + 1)
                if row > 0, column > 0, character == second[column - 1], first[row - 1] == target {
                    best = min(best, before[column - 1] + 1)
                }
                current.append(best)
            }
            (before, previous) = (previous, current)
        }
        return previous[second.count]
    }
}
