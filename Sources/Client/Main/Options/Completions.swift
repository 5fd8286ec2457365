import ArgumentParser
import FeedClientKit

/// The completions that a shell offers for a word: only what is stored on this machine, so that nobody waits for a
/// server.
enum Completions {
    /// Statuses of the last listing on this terminal.
    static let status = CompletionKind.custom { words, _, prefix in
        guard let global = global(words), let session = try? global.session() else { return [] }
        let listing = GlobalOptions.lastListing(session)
        return CompletionFormat.texts(
            (listing?.items ?? []).enumerated().map { ("\($0 + 1)", $1.words) }, startingWith: prefix)
    }

    static let account = CompletionKind.custom { words, _, prefix in
        await names(words, startingWith: prefix) { $0.accounts.map { "@" + $0 } }
    }

    static let tag = CompletionKind.custom { words, _, prefix in
        await names(words, startingWith: prefix) { $0.tags }
    }

    static let list = CompletionKind.custom { words, _, prefix in
        await names(words, startingWith: prefix) { $0.lists }
    }

    static let timeline = CompletionKind.custom { words, _, prefix in
        let named = TimelineArgument.words.map { ($0, "") }
        let others = await names(words, startingWith: prefix) { names in
            names.accounts.map { "@" + $0 } + names.tags.map { "tag:" + $0 } + names.lists.map { "list:" + $0 }
        }
        return CompletionFormat.texts(named, startingWith: prefix) + others
    }

    static let login = CompletionKind.custom { _, _, prefix in
        let logins = (try? GlobalOptions.credentials.logins()) ?? []
        return CompletionFormat.texts(logins.map { (OutboxAccount($0).handle, "") }, startingWith: prefix)
    }

    static let visibility = CompletionKind.list(PostOptions.visibilities)

    private static func names(
        _ words: [String], startingWith prefix: String, _ chosen: (StoredNames) -> [String]
    ) async -> [String] {
        guard let session = try? global(words)?.session() else { return [] }
        let names = await OfflineTimelines(session).names()
        return CompletionFormat.texts(chosen(names).map { ($0, "") }, startingWith: prefix)
    }

    /// The login that the words of the command choose.
    private static func global(_ words: [String]) -> GlobalOptions? {
        let chosen = zip(words, words.dropFirst()).filter { ["--as", "--server"].contains($0.0) }
        return try? GlobalOptions.parse(chosen.flatMap { [$0.0, $0.1] })
    }
}

/// The format of the lines that a shell reads: a word that it may insert, and what is shown next to it.
///
/// bash expands the lines, so words of others may contain nothing that it would expand.
enum CompletionFormat {
    private static let maximumCount = 100

    /// The lines for the words with a prefix.
    static func texts(
        _ words: [(word: String, description: String)], startingWith prefix: String,
        for shell: CompletionShell? = .requesting
    ) -> [String] {
        let matches = words.filter { $0.word.hasPrefix(prefix) && isHarmless($0.word) }.prefix(maximumCount)
        return matches.map { match in
            text(match.word, harmless(match.description), for: shell, isOnly: matches.count == 1)
        }
    }

    private static func text(
        _ word: String, _ description: String, for shell: CompletionShell?, isOnly: Bool
    ) -> String {
        guard !description.isEmpty else { return shell == .zsh ? escaped(word) : word }
        switch shell {
        case .zsh?: return escaped(word) + ":" + description
        case .fish?: return word + "\t" + description
        // bash has no descriptions. It inserts what all lines have in common, which ends within the words.
        case .bash? where !isOnly: return word + "  " + description
        default: return word
        }
    }

    /// In zsh, a description follows a colon.
    private static func escaped(_ word: String) -> String { word.replacing(":", with: "\\:") }

    /// Whether no shell expands a word.
    private static func isHarmless(_ word: String) -> Bool { harmless(word) == word }

    private static func harmless(_ text: String) -> String {
        String(text.filter { $0.isLetter || $0.isNumber || " @.,:;_-+=/…".contains($0) })
    }
}
