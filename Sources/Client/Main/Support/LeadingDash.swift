/// Detects a text that starts with a dash, and is therefore parsed as options: `-dash` contains `-h`. Pure.
enum LeadingDash {
    private static let commands: Set = ["post", "reply", "edit", "search"]
    private static let options: Set = [
        "-", "-v", "-h", "-n", "--verbose", "--help", "--version", "--json", "--server", "--as", "--cacert",
        "--reply-to", "--visibility", "--spoiler", "--media", "--alt", "--progress", "--schedule", "--poll",
        "--poll-option", "--poll-expires", "--poll-expires-in", "--poll-multiple", "--poll-hide-totals", "--kind",
        "--limit",
    ]

    /// The hint for a command.
    static func hint(_ arguments: [String]) -> String {
        let command = arguments.first ?? "post"
        let id = ["reply", "edit"].contains(command) ? " ID" : ""
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
