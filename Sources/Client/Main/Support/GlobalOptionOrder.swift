/// Lets the options of all commands appear before the command: `feedclient --as @ada timeline`. Pure.
enum GlobalOptionOrder {
    private static let flags: Set = ["-v", "--verbose"]
    private static let options: Set = ["--server", "--as", "--cacert"]

    /// Moves options before or within the command to just after it. Everything after the command stays as it is.
    static func sorted(_ arguments: [String], in root: CommandNode = .root) -> [String] {
        var (node, command, moved) = (root, [String](), [String]())
        var rest = arguments[...]
        while let word = rest.first {
            if let child = node.child(word) {
                node = child
                command.append(word)
                rest = rest.dropFirst()
            } else {
                let count = length(of: word)
                guard count > 0 else { break }
                moved += rest.prefix(count)
                rest = rest.dropFirst(count)
            }
        }
        // Without a command, there is nothing that the options could apply to.
        return command.isEmpty ? Array(rest) : command + moved + rest
    }

    /// The number of words of an option of all commands; 0 for any other word.
    private static func length(of word: String) -> Int {
        if flags.contains(word) { return 1 }
        if options.contains(word) { return 2 }
        return options.contains(String(word.prefix { $0 != "=" })) ? 1 : 0
    }
}
