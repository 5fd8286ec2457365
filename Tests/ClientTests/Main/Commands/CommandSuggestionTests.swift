import FeedTerminal
import TestKit
import Testing

@testable import feedclient

/// Mistyped commands, and options that precede the command.
@Suite(.hangLimit)
struct CommandSuggestionTests {
    @Test(
        arguments: [
            (["tmeline"], ["timeline"]), (["pots", "x"], ["post"]), (["boots", "1"], ["boost"]),
            (["notif"], ["notifications"]), (["Favorit", "1"], ["favourite"]), (["like", "1"], ["favourite"]),
            (["unpin", "1"], ["pin --undo"]), (["lists", "ad", "x"], ["lists add"]),
            (["requests", "acept", "@bob"], ["requests accept"]), (["mut", "@bob"], ["mute", "muted"]),
            (["zzzzzz"], []),
            ([""], []), (["requests", "@bob"], []),
        ] as [([String], [String])])
    func unknownCommandsHaveSuggestions(arguments: [String], suggestions: [String]) throws {
        let found = try #require(CommandSuggestion(arguments))
        #expect(found.suggestions == suggestions)
        #expect(found.hint.contains(suggestions.isEmpty ? "--help" : "Did you mean feedclient \(suggestions[0])"))
    }

    @Test(arguments: ["process", "process-medi", "proces-media"])
    func internalCommandsAreNotSuggested(word: String) throws {
        let root = CommandNode(
            "feedserver", [CommandNode("serve"), CommandNode("process-media", isInternal: true)])
        #expect(try #require(CommandSuggestion([word], in: root)).suggestions.isEmpty)
        #expect(CommandSuggestion(["process-media"], in: root) == nil)
    }

    @Test(
        arguments: [
            ["timeline", "nonsense"], ["post", "tmeline"], ["favorite", "1"], ["lists"], ["--nonsense"], [],
            ["lists", "--nonsense"], ["help", "tmeline"], ["poll", "vote", "1", "x"],
        ])
    func argumentsOfKnownCommandsAreNotJudged(arguments: [String]) {
        #expect(CommandSuggestion(arguments) == nil)
    }

    @Test(
        arguments: [
            (["--server", "x", "timeline", "home"], ["timeline", "--server", "x", "home"]),
            (["-v", "--as=@ada", "lists", "add", "L", "@bob"], ["lists", "add", "-v", "--as=@ada", "L", "@bob"]),
            (["lists", "--as", "@ada", "show", "L"], ["lists", "show", "--as", "@ada", "L"]),
            (["post", "--server", "x", "a"], ["post", "--server", "x", "a"]),
            (["post", "lists", "--server", "x"], ["post", "lists", "--server", "x"]),
            (["--cacert", "post", "post", "a"], ["post", "--cacert", "post", "a"]),
            (["--server", "x", "--help"], ["--help"]), (["--server"], ["tui", "--server"]), (["--server", "x"], []),
            (["--json", "timeline"], ["--json", "timeline"]), ([], []), (["-v", "tmeline"], ["tmeline"]),
            (["--verbose", "notifications"], ["notifications", "--verbose"]),
        ] as [([String], [String])])
    func globalOptionsFollowTheCommand(arguments: [String], sorted: [String]) {
        #expect(GlobalOptionOrder.sorted(arguments) == sorted)
    }

    @Test(
        arguments: [
            ([], ["tui"]), (["--as", "@bob"], ["tui", "--as", "@bob"]), (["-v"], ["tui", "-v"]),
            (["--as", "@bob", "post", "a"], ["post", "--as", "@bob", "a"]), (["--help"], ["--help"]),
        ] as [([String], [String])])
    func optionsAloneBelongToTheStandardCommand(arguments: [String], sorted: [String]) {
        #expect(GlobalOptionOrder.sorted(arguments, standard: "tui") == sorted)
    }

    @Test(
        arguments: [
            ("", "", 0), ("a", "", 1), ("", "abc", 3), ("post", "pots", 1), ("boost", "bost", 1),
            ("kitten", "sitting", 3),
            ("ab", "ba", 1), ("same", "same", 0),
        ])
    func typingErrorsAreCounted(one: String, other: String, count: Int) {
        #expect(EditDistance.between(one, other) == count)
        #expect(EditDistance.between(other, one) == count)
    }
}
