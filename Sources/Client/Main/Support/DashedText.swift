/// A text to post that begins with a dash is taken for options: `-dash` has an `h` and asks for help. Pure.
enum DashedText {
    static let hint = "Put -- before a text that begins with a dash: feedclient post -- \"-text\""

    private static let options: Set<String> = [
        "-", "-v", "-h", "--verbose", "--help", "--version", "--json", "--server", "--reply-to", "--visibility",
        "--spoiler",
    ]

    /// Whether the arguments hold what was meant as such a text.
    static func isLikely(_ arguments: [String]) -> Bool {
        guard arguments.first == "post" else { return false }
        return arguments.dropFirst().prefix { $0 != "--" }.contains { argument in
            argument.hasPrefix("-") && !options.contains(String(argument.prefix { $0 != "=" }))
        }
    }
}
