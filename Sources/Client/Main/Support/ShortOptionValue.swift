/// Separates the value from a short option, which ArgumentParser does not: `-n1`, `-ocopy.txt`. Pure.
enum ShortOptionValue {
    /// Commands whose words are a text, which may begin with a dash.
    private static let texts: Set = ["post", "reply", "edit", "drafts"]

    static func separated(_ arguments: [String]) -> [String] {
        guard let command = arguments.first, !texts.contains(command) else { return arguments }
        let end = arguments.firstIndex(of: "--") ?? arguments.endIndex
        return arguments[..<end].flatMap { word -> [String] in
            let value = word.dropFirst(2)
            let isCount = word.hasPrefix("-n") && !value.isEmpty && value.utf8.allSatisfy { (0x30...0x39).contains($0) }
            let isPath = command == "download" && word.hasPrefix("-o") && !value.isEmpty && value.first != "="
            return isCount || isPath ? [String(word.prefix(2)), String(value)] : [word]
        } + arguments[end...]
    }
}
