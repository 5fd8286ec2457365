import FeedTerminal

/// Lets the options of all commands appear before the command: `feedclient --as @ada timeline`.
enum GlobalOptionOrder {
    private static let flags: Set = ["-v", "--verbose"]
    private static let options: Set = ["--server", "--as", "--cacert"]

    /// Moves options before or within the command to just after it. Everything after the command stays as it is.
    /// - Parameter standard: The command if there is none; `nil` to print the help.
    static func sorted(_ arguments: [String], in root: CommandNode = .root, standard: String? = nil) -> [String] {
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
        // The parser reports a missing value.
        let isIncomplete = moved.last.map { length(of: $0) > 1 } ?? false
        if command.isEmpty, rest.isEmpty, let standard = standard ?? (isIncomplete ? TuiCommand.name : nil) {
            return [standard] + moved
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

/// Detects a text that starts with a dash, and is therefore parsed as options: `-dash` contains `-h`.
enum LeadingDash {
    private static let commands: Set = ["post", "reply", "edit", "search"]
    private static let options: Set = [
        "-", "-v", "-h", "-n", "--verbose", "--help", "--version", "--json", "--server", "--as", "--cacert",
        "--reply-to", "--visibility", "--spoiler", "--media", "--alt", "--thumbnail", "--focus", "--progress",
        "--schedule", "--language", "--poll",
        "--poll-option", "--poll-expires", "--poll-expires-in", "--poll-multiple", "--poll-hide-totals", "--kind",
        "--limit", "--before", "--offline",
    ]

    /// The hint for a command.
    static func hint(_ arguments: [String]) -> String {
        let command = arguments.first ?? "post"
        let id = ["reply", "edit"].contains(command) ? " REF" : ""
        return "Put -- before a text that starts with a dash: feedclient \(command)\(id) -- \"-text\""
    }

    /// Whether the arguments probably contain such a text.
    static func isLikely(_ arguments: [String]) -> Bool {
        guard let command = arguments.first, commands.contains(command) else { return false }
        return arguments.dropFirst().prefix { $0 != "--" }.contains { argument in
            argument.hasPrefix("-") && !options.contains(String(argument.prefix { $0 != "=" }))
        }
    }
}

/// Separates the value from a short option, which ArgumentParser does not: `-n1`, `-ocopy.txt`, `-ilist`.
enum ShortOptionValue {
    /// Commands whose words are a text, which may begin with a dash.
    private static let texts: Set = ["post", "reply", "edit", "drafts"]

    static func separated(_ arguments: [String]) -> [String] {
        guard let command = arguments.first, !texts.contains(command) else { return arguments }
        let end = arguments.firstIndex(of: "--") ?? arguments.endIndex
        return arguments[..<end].flatMap { word -> [String] in
            let value = word.dropFirst(2)
            let isCount = word.hasPrefix("-n") && !value.isEmpty && value.utf8.allSatisfy { (0x30...0x39).contains($0) }
            let isPath =
                command == "download" && ["-o", "-i"].contains(word.prefix(2)) && !value.isEmpty && value.first != "="
            return isCount || isPath ? [String(word.prefix(2)), String(value)] : [word]
        } + arguments[end...]
    }
}
