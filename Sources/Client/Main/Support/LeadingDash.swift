/// Detects a text to post that starts with a dash, and is therefore parsed as options: `-dash` contains `-h`. Pure.
enum LeadingDash {
    static let hint = "Put -- before a text that starts with a dash: feedclient post -- \"-text\""

    private static let options: Set<String> = [
        "-", "-v", "-h", "--verbose", "--help", "--version", "--json", "--server", "--reply-to", "--visibility",
        "--spoiler", "--media", "--alt", "--progress", "--schedule",
    ]

    /// Whether the arguments probably contain such a text.
    static func isLikely(_ arguments: [String]) -> Bool {
        guard arguments.first == "post" else { return false }
        return arguments.dropFirst().prefix { $0 != "--" }.contains { argument in
            argument.hasPrefix("-") && !options.contains(String(argument.prefix { $0 != "=" }))
        }
    }
}
