import TestKit
import Testing

@testable import feedclient

@Suite(.hangLimit)
struct ShortOptionValueTests {
    @Test(
        arguments: [
            (["timeline", "-n1"], ["timeline", "-n", "1"]), (["timeline", "-n", "1"], ["timeline", "-n", "1"]),
            (["search", "x", "-n40", "--json"], ["search", "x", "-n", "40", "--json"]),
            (["download", "a", "-ob.txt"], ["download", "a", "-o", "b.txt"]),
            (["download", "-ilist", "-o", "d"], ["download", "-i", "list", "-o", "d"]),
            (["timeline", "-nx"], ["timeline", "-nx"]),
            (["search", "--", "-n1"], ["search", "--", "-n1"]), (["post", "-n1"], ["post", "-n1"]),
            (["download", "-o", "-n1x"], ["download", "-o", "-n1x"]), (["timeline", "-n=1"], ["timeline", "-n=1"]),
            ([], []),
        ] as [([String], [String])])
    func valueIsSeparated(arguments: [String], separated: [String]) {
        #expect(ShortOptionValue.separated(arguments) == separated)
    }
}
