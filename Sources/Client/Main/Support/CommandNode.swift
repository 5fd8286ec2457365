import ArgumentParser

/// A command of this program and its subcommands.
struct CommandNode: Sendable {
    let name: String
    let aliases: [String]
    let children: [CommandNode]

    /// All commands.
    static var root: CommandNode { CommandNode(Feedclient.self) }

    init(_ name: String, aliases: [String] = [], _ children: [CommandNode] = []) {
        (self.name, self.aliases, self.children) = (name, aliases, children)
    }

    init(_ command: any ParsableCommand.Type) {
        let configuration = command.configuration
        self.init(
            command._commandName, aliases: configuration.aliases, configuration.subcommands.map { CommandNode($0) })
    }

    func child(_ word: String) -> CommandNode? { children.first { $0.name == word || $0.aliases.contains(word) } }
}
