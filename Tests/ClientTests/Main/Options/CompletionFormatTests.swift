import ArgumentParser
import Testing

@testable import feedclient

/// The lines that shells read.
@Suite struct CompletionFormatTests {
    private static let words = [("1", "@ada Hello, world"), ("2", "@bob $(rm -rf ~) `x` 中文"), ("12", "@eve a\nb")]

    @Test(
        arguments: [
            (CompletionShell.zsh, "1", ["1:@ada Hello, world", "12:@eve ab"]),
            (.fish, "2", ["2\t@bob rm -rf  x 中文"]), (.bash, "2", ["2"]), (.bash, "3", []),
            (.bash, "1", ["1  @ada Hello, world", "12  @eve ab"]),
        ] as [(CompletionShell, String, [String])])
    func descriptionsAreThoseOfTheShell(shell: CompletionShell, prefix: String, lines: [String]) {
        #expect(CompletionFormat.texts(Self.words, startingWith: prefix, for: shell) == lines)
    }

    /// bash would run them.
    @Test(arguments: ["@$(reboot)", "@`reboot`", "tag:a'b", "list:a\\b", "a\nb", "@{a,b}", "~x", "a*"])
    func wordsThatAShellExpandsAreLeftOut(word: String) {
        #expect(CompletionFormat.texts([(word, "")], startingWith: "", for: .bash).isEmpty)
    }

    @Test func colonsOfWordsAreEscapedForZsh() {
        #expect(CompletionFormat.texts([("tag:rust", "")], startingWith: "t", for: .zsh) == ["tag\\:rust"])
        #expect(CompletionFormat.texts([("tag:rust", "")], startingWith: "t", for: .bash) == ["tag:rust"])
    }
}
